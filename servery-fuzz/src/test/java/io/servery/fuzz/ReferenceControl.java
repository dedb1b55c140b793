package io.servery.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/// What frames of the control channel are, for clarity and not for speed: each type is a line of fields.
///
/// `v` the version, `n` 31 bits, `N` 63 bits, `Z` 64 bits, `b` 0 to 255, `l` a loop, `d` a time, `i` a series, `k` a reading,
/// `r` a reason;
/// `t9` a text of at most 9 bytes; `[1-9 …]` a list of 1 to 9 elements, whose first field ascends with `^`, and is unlike any
/// other with `#`.
final class ReferenceControl {
    private static final int ORDER_BYTES_MAX = 2_097_152;
    private static final int REPORT_BYTES_MAX = 262_144;
    private static final String SHARDS = "[1-4096 s^]";
    private static final String SNAPSHOT = "[0-16384 i^ Z] n [0-7 k^ N] [0-16 t64# Z Z Z] [0-16 t64# Z Z] [0-16 t64# Z Z]";
    private static final Set<String> REASONS = Set.of("startup_failure", "health_failure", "invalid_config",
            "application_startup_failure");

    private final DataInputStream in;

    private ReferenceControl(byte[] fields) {
        in = new DataInputStream(new ByteArrayInputStream(fields));
    }

    static boolean isOrder(byte[] frame) {
        return is(frame, ORDER_BYTES_MAX, "", "[1-253 s^ t256]", "n n t1048576 " + SHARDS, "", SHARDS, "N " + SHARDS,
                "d", "[1-256 t128# t4096]", "");
    }

    static boolean isReport(byte[] frame) {
        String[] types = new String[74];
        String[] reports = {"v t128 t64", "", "", "l n N", "N " + SHARDS, "r t16384", "N", SNAPSHOT, "b t16384"};
        System.arraycopy(reports, 0, types, 65, reports.length);
        return is(frame, REPORT_BYTES_MAX, types);
    }

    private static boolean is(byte[] frame, int bytesMax, String... types) {
        if (frame.length < 5 || frame.length > bytesMax) {
            return false;
        }
        ReferenceControl reader = new ReferenceControl(Arrays.copyOfRange(frame, 5, frame.length));
        int type = Byte.toUnsignedInt(frame[4]);
        try {
            int length = new DataInputStream(new ByteArrayInputStream(frame)).readInt();
            return length == frame.length - 4 && type > 0 && type < types.length && types[type] != null
                    && reader.fields(types[type]) && reader.in.read() < 0;
        } catch (IOException e) {
            return false;
        }
    }

    private boolean fields(String line) throws IOException {
        if (line.startsWith("[")) {
            return list(line.substring(1, line.indexOf(']')).split(" ", -1))
                    && fields(line.substring(line.indexOf(']') + 1).strip());
        }
        int end = line.indexOf(' ');
        String first = end < 0 ? line : line.substring(0, end);
        return line.isEmpty() || field(first) != null && (end < 0 || fields(line.substring(end + 1)));
    }

    private boolean list(String... words) throws IOException {
        String[] range = words[0].split("-", -1);
        int count = in.readInt();
        if (count < Integer.parseInt(range[0]) || count > Integer.parseInt(range[1])) {
            return false;
        }
        Set<Comparable<?>> seen = new HashSet<>();
        String before = "";
        for (int i = 0; i < count; i++) {
            for (int word = 1; word < words.length; word++) {
                Comparable<?> value = field(words[word].replaceAll("[\\^#]", ""));
                String text = String.valueOf(value);
                if (value == null || words[word].endsWith("^") && text.compareTo(before) <= 0
                        || words[word].endsWith("#") && !seen.add(value)) {
                    return false;
                }
                before = words[word].endsWith("^") ? text : before;
            }
        }
        return true;
    }

    /// The value in a form whose order as text is its order, or null for none that may be.
    private Comparable<?> field(String word) throws IOException {
        return switch (word.charAt(0)) {
            case 'v' -> number(in.readInt(), 1, 1);
            case 'n' -> number(in.readInt(), 0, Integer.MAX_VALUE);
            case 'b' -> number(in.readInt(), 0, 255);
            case 'l' -> number(in.readInt(), 0, 1_023);
            case 'i' -> number(in.readInt(), 0, 16_383);
            case 'k' -> number(in.readInt(), 0, 6);
            case 'N' -> number(in.readLong(), 0, Long.MAX_VALUE);
            case 'd' -> number(in.readLong(), 0, 86_400_000_000_000L);
            case 'Z' -> "" + in.readLong();
            case 's' -> {
                String group = number(in.readInt(), 0, Integer.MAX_VALUE);
                String index = number(in.readInt(), 0, Integer.MAX_VALUE);
                yield group == null || index == null ? null : group + index;
            }
            case 'r' -> {
                String reason = text(64);
                yield reason != null && REASONS.contains(reason) ? reason : null;
            }
            case 't' -> text(Integer.parseInt(word.substring(1)));
            default -> throw new IllegalArgumentException(word);
        };
    }

    private String text(int bytesMax) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > bytesMax) {
            return null;
        }
        byte[] bytes = in.readNBytes(length);
        String text = new String(bytes, UTF_8);
        return bytes.length == length && Arrays.equals(text.getBytes(UTF_8), bytes) ? text : null;
    }

    private static String number(long value, long min, long max) {
        return value < min || value > max ? null : "%020d".formatted(value);
    }
}
