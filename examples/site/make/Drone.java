import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// Writes the large download, six minutes of slowly turning sound: `java Drone.java ../public/downloads/drone.wav`.
///
/// The same bytes each time. A file of the right size stays as it is.
public final class Drone {
    private static final int RATE = 44_100;
    private static final int SECONDS = 360;
    private static final int FRAME_BYTES = 4;
    private static final int HEADER_BYTES = 44;
    private static final int DATA_BYTES = RATE * SECONDS * FRAME_BYTES;
    private static final int TABLE = 1 << 14;
    private static final double[] CHORD = {55.0, 82.5, 110.0, 137.5, 165.0, 220.0, 247.5};

    public static void main(String[] args) throws IOException {
        Path target = Path.of(args[0]);
        if (Files.exists(target) && Files.size(target) == HEADER_BYTES + (long) DATA_BYTES) {
            return;
        }
        Files.createDirectories(target.toAbsolutePath().getParent());
        Path unfinished = target.resolveSibling(target.getFileName() + ".part");
        try (OutputStream output = Files.newOutputStream(unfinished)) {
            output.write(header());
            writeSound(output);
        }
        Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
    }

    private static byte[] header() {
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        header.put(ascii("RIFF")).putInt(HEADER_BYTES - 8 + DATA_BYTES).put(ascii("WAVEfmt ")).putInt(16);
        header.putShort((short) 1).putShort((short) 2).putInt(RATE).putInt(RATE * FRAME_BYTES);
        header.putShort((short) FRAME_BYTES).putShort((short) 16).put(ascii("data")).putInt(DATA_BYTES);
        return header.array();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    }

    private static void writeSound(OutputStream output) throws IOException {
        float[] sine = new float[TABLE];
        for (int at = 0; at < TABLE; at++) {
            sine[at] = (float) StrictMath.sin(2 * StrictMath.PI * at / TABLE);
        }
        ByteBuffer second = ByteBuffer.allocate(RATE * FRAME_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at < SECONDS; at++) {
            second.clear();
            for (int frame = 0; frame < RATE; frame++) {
                long time = (long) at * RATE + frame;
                second.putShort(sample(sine, time, 0)).putShort(sample(sine, time, 1));
            }
            output.write(second.array());
        }
    }

    private static short sample(float[] sine, long time, int side) {
        float sum = 0;
        for (int voice = 0; voice < CHORD.length; voice++) {
            double frequency = CHORD[voice] * (1 + 0.0006 * (side == 0 ? voice : -voice));
            float swell = 0.5f + 0.5f * sine[phase(time, 0.011 + 0.007 * voice)];
            sum += swell * sine[phase(time, frequency)] / (voice + 2);
        }
        double edge = Math.min(1.0, Math.min(time, (long) RATE * SECONDS - time) / (4.0 * RATE));
        return (short) (sum * edge * 14_000);
    }

    private static int phase(long time, double frequency) {
        double turns = time * frequency / RATE;
        return (int) ((turns - Math.floor(turns)) * TABLE);
    }
}
