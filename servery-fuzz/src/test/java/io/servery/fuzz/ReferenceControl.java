package io.servery.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What frames of the control channel are, for clarity and not for speed: each type is a line of fields.
///
/// `v` the version, `n` 31 bits, `N` 63 bits, `Z` 64 bits, `b` 0 to 255, `l` a loop, `d` a time, `p` a part of the time before it, `i` a series, `o` a role, `k` a reading,
/// `r` a reason;
/// `t9` a text of at most 9 bytes, `T9` and, in a list of many, `U9` one that counts for the bytes of the whole, `h` a token and
/// its key authorization, `A9` a server name: both are challenges; `[1-9 …]` a list of 1 to 9 elements, whose first field ascends with `^`, and is unlike any
/// other with `#`.
final class ReferenceControl {
    private static final int ORDER_BYTES_MAX = 2_097_152;
    private static final int REPORT_BYTES_MAX = 262_144;
    private static final String SHARDS = "[1-4096 s^]";
    private static final String SNAPSHOT = "[0-16384 i^ Z] n [0-7 k^ N] [0-16 t64# Z Z Z] [0-16 t64# Z Z] [0-16 t64# Z Z]";
    private static final Set<String> REASONS = Set.of("startup_failure", "health_failure", "invalid_config",
            "application_startup_failure");

    private static final int COUNTED_BYTES_MAX = 1_572_864;
    private static final int CHALLENGES_MAX = 256;

    private final DataInputStream in;
    private long weight;
    private int challenges;
    private long time;

    private ReferenceControl(byte[] fields) {
        in = new DataInputStream(new ByteArrayInputStream(fields));
    }

    static boolean isOrder(byte[] frame) {
        return is(frame, ORDER_BYTES_MAX, "", "[1-253 s^ o t256]", "n n t1048576 " + SHARDS, "", SHARDS, "N " + SHARDS,
                "d p", "[1-256 t128# t4096]", "", "N [1-256 [0-256 U256] T262144 T32768] T1048576 [1-8 t128]",
                "N [0-256 h#] [0-256 A256# T16384 T32768]");
    }

    static boolean isReport(byte[] frame) {
        String[] types = new String[76];
        String[] reports = {"v t128 t64", "", "", "l n N", "N " + SHARDS, "r t16384", "N", SNAPSHOT, "b t16384",
                "N t16384", "N t16384"};
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
                    && reader.fields(types[type]) && reader.in.read() < 0 && reader.weight <= COUNTED_BYTES_MAX
                    && reader.challenges <= CHALLENGES_MAX;
        } catch (IOException e) {
            return false;
        }
    }

    private boolean fields(String line) throws IOException {
        for (String item : items(line)) {
            if (item.startsWith("[") ? !list(inner(item)) : field(item) == null) {
                return false;
            }
        }
        return true;
    }

    /// What a line says one after the other; a list is one of it.
    private static List<String> items(String line) {
        List<String> items = new ArrayList<>();
        int depth = 0;
        int from = 0;
        for (int at = 0; at <= line.length(); at++) {
            char c = at == line.length() ? ' ' : line.charAt(at);
            depth += c == '[' ? 1 : c == ']' ? -1 : 0;
            if (c == ' ' && depth == 0) {
                items.add(line.substring(from, at));
                from = at + 1;
            }
        }
        items.removeIf(String::isEmpty);
        return items;
    }

    private static String inner(String list) {
        return list.substring(1, list.length() - 1);
    }

    private boolean list(String line) throws IOException {
        List<String> words = items(line);
        String[] range = words.getFirst().split("-", -1);
        int count = in.readInt();
        if (count < Integer.parseInt(range[0]) || count > Integer.parseInt(range[1])) {
            return false;
        }
        Set<Comparable<?>> seen = new HashSet<>();
        String before = "";
        for (int i = 0; i < count; i++) {
            for (String word : words.subList(1, words.size())) {
                if (word.startsWith("[")) {
                    if (!list(inner(word))) {
                        return false;
                    }
                    continue;
                }
                Comparable<?> value = field(word.replaceAll("[\\^#]", ""));
                String text = String.valueOf(value);
                if (value == null || word.endsWith("^") && text.compareTo(before) <= 0
                        || word.endsWith("#") && !seen.add(value)) {
                    return false;
                }
                before = word.endsWith("^") ? text : before;
            }
        }
        return true;
    }

    /// The value in a form whose order as text is its order, or null for none that may be.
    private Comparable<?> field(String word) throws IOException {
        return switch (word.charAt(0)) {
            case 'v' -> number(in.readInt(), 3, 3);
            case 'n' -> number(in.readInt(), 0, Integer.MAX_VALUE);
            case 'b' -> number(in.readInt(), 0, 255);
            case 'l' -> number(in.readInt(), 0, 1_023);
            case 'i' -> number(in.readInt(), 0, 16_383);
            case 'k' -> number(in.readInt(), 0, 6);
            case 'N' -> number(in.readLong(), 0, Long.MAX_VALUE);
            case 'd' -> {
                time = in.readLong();
                yield number(time, 0, 86_400_000_000_000L);
            }
            case 'p' -> number(in.readLong(), 0, time);
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
            case 'o' -> number(in.readInt(), 0, 1);
            case 't' -> text(Integer.parseInt(word.substring(1)));
            case 'T' -> counted(text(Integer.parseInt(word.substring(1))), 0);
            case 'U' -> counted(text(Integer.parseInt(word.substring(1))), Integer.BYTES);
            case 'A' -> {
                challenges++;
                yield text(Integer.parseInt(word.substring(1)));
            }
            case 'h' -> {
                challenges++;
                String token = text(256);
                String authorization = token == null ? null : text(512);
                yield authorization != null && token.matches("[A-Za-z0-9_-]+")
                        && authorization.matches(token + "[.][A-Za-z0-9_-]+") ? token : null;
            }
            default -> throw new IllegalArgumentException(word);
        };
    }

    private String counted(String text, int more) {
        weight += text == null ? 0 : text.length() + more;
        return text;
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
