package io.servery.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.servery.http.semantics.DigestAlgorithm;
import io.servery.http.semantics.DigestPreference;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Any lines as a Want-Repr-Digest or Want-Content-Digest field: a Dictionary of RFC 9651 with the values of RFC 9530 §4.
class WantedDigestFuzz {
    /// One token of the grammar after another. No group is repeated: that would recurse with the length of the text.
    private static final Pattern KEY = Pattern.compile("[a-z*][a-z0-9_.*-]*+");
    private static final Pattern BARE = Pattern.compile("""
            (-?[0-9]{1,15}+(?![0-9.]))\
            |-?[0-9]{1,12}+\\.[0-9]{1,3}+(?![0-9])\
            |[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*+\
            |:([A-Za-z0-9+/]*+)={0,2}+:\
            |\\?[01]\
            |@-?[0-9]{1,15}+(?![0-9.])\
            """);
    private static final Pattern STRING_PIECE = Pattern.compile("[ !#-\\[\\]-~]++|\\\\[\"\\\\]");
    private static final Pattern DISPLAY_PIECE = Pattern.compile("[ !#$&-~]++|%[0-9a-f]{2}");
    private static final Pattern SPACES = Pattern.compile(" *+");
    private static final Pattern BLANKS = Pattern.compile("[ \\t]*+");

    @FuzzTest
    void wantedDigest(byte[] bytes) {
        List<String> lines = Arrays.asList(new String(bytes, ISO_8859_1).split("\n", -1));
        DigestPreference found = Cost.within(100_000 + 1000L * bytes.length, () -> DigestPreference.parse(lines));
        Map<String, Long> expected = new Reader(String.join(", ", lines)).weights();
        Invariant.same(best(expected), String.valueOf(found.best()), () -> "best of " + lines);
        for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
            Invariant.same(Long.valueOf(0).equals(expected.get(algorithm.key())), found.refuses(algorithm),
                    () -> algorithm + " refused by " + lines);
        }
    }

    private static String best(Map<String, Long> weights) {
        long small = weights.getOrDefault("sha-256", 0L);
        long large = weights.getOrDefault("sha-512", 0L);
        return String.valueOf(small == 0 && large == 0
                ? null
                : large > small ? DigestAlgorithm.SHA_512 : DigestAlgorithm.SHA_256);
    }

    /// The same by regular expressions, token by token.
    private static final class Reader {
        private final String text;
        private final Matcher matcher;
        private int at;

        Reader(String text) {
            this.text = text;
            this.matcher = KEY.matcher(text);
        }

        /// Empty for what says nothing.
        Map<String, Long> weights() {
            Map<String, Long> weights = new HashMap<>();
            skip(SPACES);
            boolean more = at < text.length();
            while (more) {
                if (!skip(KEY)) {
                    return Map.of();
                }
                String key = matcher.group();
                Long weight = starts('=') ? value() : Long.valueOf(-1);
                if (weight == null || !parameters()) {
                    return Map.of();
                }
                weights.put(key, weight);
                if (weights.size() > 1_024) {
                    return Map.of();
                }
                skip(BLANKS);
                more = at < text.length();
                if (more && !(starts(',') && skip(BLANKS) && at < text.length())) {
                    return Map.of();
                }
            }
            return weights.values().stream().allMatch(weight -> weight >= 0 && weight <= 10) ? weights : Map.of();
        }

        /// -1 for what is no Integer, null for what is nothing.
        private Long value() {
            if (!starts('(')) {
                return bare();
            }
            skip(SPACES);
            while (!starts(')')) {
                if (bare() == null || !parameters()) {
                    return null;
                }
                boolean apart = at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == ')');
                if (!apart) {
                    return null;
                }
                skip(SPACES);
            }
            return -1L;
        }

        private Long bare() {
            if (starts('"')) {
                return pieces(STRING_PIECE) == null ? null : Long.valueOf(-1);
            }
            if (text.startsWith("%\"", at)) {
                at += 2;
                String display = pieces(DISPLAY_PIECE);
                return display != null && isUtf8(display) ? Long.valueOf(-1) : null;
            }
            if (!skip(BARE) || matcher.group(2) != null && matcher.group(2).length() % 4 == 1) {
                return null;
            }
            return matcher.group(1) == null ? Long.valueOf(-1) : Long.valueOf(matcher.group(1));
        }

        /// Everything up to the closing quote, null without one.
        private String pieces(Pattern piece) {
            int from = at;
            boolean more = true;
            while (more) {
                more = skip(piece);
            }
            return starts('"') ? text.substring(from, at - 1) : null;
        }

        private boolean parameters() {
            while (starts(';')) {
                skip(SPACES);
                if (!skip(KEY) || starts('=') && bare() == null) {
                    return false;
                }
            }
            return true;
        }

        private static boolean isUtf8(String display) {
            ByteBuffer octets = ByteBuffer.allocate(display.length());
            for (int i = 0; i < display.length(); i++) {
                boolean encoded = display.charAt(i) == '%';
                octets.put((byte) (encoded
                        ? Integer.parseInt(display, i + 1, i + 3, 16)
                        : display.charAt(i)));
                i += encoded ? 2 : 0;
            }
            try {
                UTF_8.newDecoder().decode(octets.flip());
                return true;
            } catch (CharacterCodingException e) {
                return false;
            }
        }

        private boolean starts(char c) {
            boolean there = at < text.length() && text.charAt(at) == c;
            at += there ? 1 : 0;
            return there;
        }

        private boolean skip(Pattern token) {
            matcher.usePattern(token).region(at, text.length()).useTransparentBounds(true);
            boolean there = matcher.lookingAt();
            at = there ? matcher.end() : at;
            return there;
        }
    }
}
