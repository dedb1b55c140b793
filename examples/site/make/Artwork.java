import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.RadialGradientPaint;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import javax.imageio.ImageIO;

/// Draws the pictures of the gallery, each from its seed: `java Artwork.java ../public/images`.
public final class Artwork {
    private static final int WIDTH = 1200;
    private static final int HEIGHT = 800;

    public static void main(String[] args) throws IOException {
        System.setProperty("java.awt.headless", "true");
        Path directory = Path.of(args[0]);
        Files.createDirectories(directory);
        write(directory, "dawn", ridges(3, 0x1d2b53, 0xf6b39a, 0xffe9d0, 0x2a2f55));
        write(directory, "noon", ridges(11, 0x4a90c4, 0xd9ecf2, 0xfdfdf5, 0x1f4d4a));
        write(directory, "dusk", ridges(23, 0x2b1b3d, 0xd6576b, 0xffc18a, 0x1b1430));
        write(directory, "night", ridges(42, 0x070b1e, 0x243a66, 0xdfe8ff, 0x05070f));
        write(directory, "current", current(7));
        write(directory, "orbits", orbits(19));
    }

    private static void write(Path directory, String name, BufferedImage image) throws IOException {
        ImageIO.write(image, "png", directory.resolve(name + ".png").toFile());
    }

    private static Graphics2D brush(BufferedImage image) {
        Graphics2D brush = image.createGraphics();
        brush.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        brush.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        return brush;
    }

    /// Ranges of hills under a sky with its light, the nearer the darker.
    private static BufferedImage ridges(long seed, int high, int low, int light, int near) {
        Random random = new Random(seed);
        BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
        Graphics2D brush = brush(image);
        brush.setPaint(new GradientPaint(0, 0, new Color(high), 0, HEIGHT * 0.72f, new Color(low)));
        brush.fillRect(0, 0, WIDTH, HEIGHT);
        float x = WIDTH * (0.25f + 0.5f * random.nextFloat());
        float y = HEIGHT * (0.28f + 0.14f * random.nextFloat());
        Color sun = new Color(light);
        brush.setPaint(new RadialGradientPaint(x, y, 420, new float[]{0f, 1f},
                new Color[]{new Color(sun.getRed(), sun.getGreen(), sun.getBlue(), 120), new Color(light & 0xffffff, true)}));
        brush.fillRect(0, 0, WIDTH, HEIGHT);
        brush.setPaint(sun);
        brush.fill(new Ellipse2D.Float(x - 46, y - 46, 92, 92));
        int ranges = 6;
        for (int range = 0; range < ranges; range++) {
            float depth = (range + 1f) / ranges;
            brush.setPaint(mix(new Color(low), new Color(near), depth * depth * 0.55f + depth * 0.45f));
            brush.fill(ridge(random, HEIGHT * (0.48f + 0.085f * range), 34 + 16 * range));
        }
        brush.dispose();
        return image;
    }

    private static Path2D ridge(Random random, float base, float height) {
        double[] phase = random.doubles(7, 0, Math.TAU).toArray();
        Path2D line = new Path2D.Float();
        line.moveTo(0, HEIGHT);
        for (int x = 0; x <= WIDTH; x += 2) {
            double y = 0;
            for (int octave = 0; octave < phase.length; octave++) {
                y += Math.sin(x * 0.0026 * Math.pow(1.93, octave) + phase[octave]) / Math.pow(1.85, octave);
            }
            line.lineTo(x, base - y * height);
        }
        line.lineTo(WIDTH, HEIGHT);
        line.closePath();
        return line;
    }

    /// Lines that follow a slow field.
    private static BufferedImage current(long seed) {
        Random random = new Random(seed);
        BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
        Graphics2D brush = brush(image);
        brush.setPaint(new Color(0x0f2530));
        brush.fillRect(0, 0, WIDTH, HEIGHT);
        Color[] inks = {new Color(0x7fd1c7), new Color(0xf2d388), new Color(0xe8765c), new Color(0x3f8fa8)};
        brush.setStroke(new BasicStroke(2.2f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
        for (int stroke = 0; stroke < 520; stroke++) {
            double x = random.nextDouble(-80, WIDTH);
            double y = random.nextDouble(0, HEIGHT);
            Color ink = inks[Math.min(3, (int) (random.nextDouble() * 2 + y / HEIGHT * 2.4))];
            brush.setPaint(new Color(ink.getRed(), ink.getGreen(), ink.getBlue(), 150));
            Path2D line = new Path2D.Double();
            line.moveTo(x, y);
            for (int step = 0; step < 70; step++) {
                double angle = Math.sin(x * 0.0042) + Math.cos(y * 0.0061 + x * 0.0015) * 0.9;
                x += 5 * Math.cos(angle);
                y += 5 * Math.sin(angle);
                line.lineTo(x, y);
            }
            brush.draw(line);
        }
        brush.dispose();
        return image;
    }

    private static BufferedImage orbits(long seed) {
        Random random = new Random(seed);
        BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
        Graphics2D brush = brush(image);
        brush.setPaint(new Color(0xf5efe3));
        brush.fillRect(0, 0, WIDTH, HEIGHT);
        Color[] inks = {new Color(0x16324f), new Color(0xd1495b), new Color(0xedae49), new Color(0x00798c)};
        for (int ring = 26; ring > 0; ring--) {
            double radius = 18.0 * ring;
            brush.setStroke(new BasicStroke(ring % 4 == 0 ? 5f : 1.6f));
            brush.setPaint(inks[ring % inks.length]);
            brush.draw(new Ellipse2D.Double(WIDTH * 0.5 - radius, HEIGHT * 0.5 - radius, 2 * radius, 2 * radius));
            double angle = random.nextDouble(0, Math.TAU);
            double size = random.nextDouble(6, 22);
            brush.fill(new Ellipse2D.Double(WIDTH * 0.5 + radius * Math.cos(angle) - size,
                    HEIGHT * 0.5 + radius * Math.sin(angle) - size, 2 * size, 2 * size));
        }
        brush.dispose();
        return image;
    }

    private static Color mix(Color from, Color to, float part) {
        return new Color(Math.round(from.getRed() + (to.getRed() - from.getRed()) * part),
                Math.round(from.getGreen() + (to.getGreen() - from.getGreen()) * part),
                Math.round(from.getBlue() + (to.getBlue() - from.getBlue()) * part));
    }
}
