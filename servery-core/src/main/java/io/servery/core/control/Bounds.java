package io.servery.core.control;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// How much of anything an order or a report may hold: what a sender is held to, and what a receiver accepts.
public final class Bounds {
    /// The version of the protocol that this build speaks; the first field of [Report.Hello], wherever it changes.
    public static final int VERSION = 3;

    /// A whole frame, its length field included.
    public static final int ORDER_BYTES_MAX = 2 << 20;
    /// A whole frame, its length field included.
    public static final int REPORT_BYTES_MAX = 256 << 10;

    public static final int SHARDS_MAX = 4_096;
    /// What one sendmsg(2) carries: SCM_MAX_FD.
    public static final int DESCRIPTORS_MAX = 253;
    public static final int ADDRESS_BYTES_MAX = 256;
    public static final int CONFIGURATION_BYTES_MAX = 1 << 20;
    public static final int SETTINGS_MAX = 256;
    public static final int KEY_BYTES_MAX = 128;
    public static final int VALUE_BYTES_MAX = 4_096;
    public static final int IDENTITIES_MAX = 256;
    public static final int NAMES_MAX = 256;
    public static final int NAME_BYTES_MAX = 256;
    public static final int CHAIN_BYTES_MAX = 256 << 10;
    public static final int PRIVATE_KEY_BYTES_MAX = 32 << 10;
    public static final int AUTHORITIES_BYTES_MAX = 1 << 20;
    /// All texts of one order to identify: what is left of a frame is for their lengths and names.
    public static final int IDENTIFY_BYTES_MAX = 3 << 19;
    /// A certificate authority takes no more names in one order than half of this.
    public static final int CHALLENGES_MAX = 256;
    public static final int CHALLENGE_TOKEN_BYTES_MAX = 256;
    public static final int KEY_AUTHORIZATION_BYTES_MAX = 512;
    public static final int CHALLENGE_CERTIFICATE_BYTES_MAX = 16 << 10;
    public static final int TICKET_KEYS_MAX = 8;
    public static final int TICKET_KEY_BYTES_MAX = 128;
    public static final int BUILD_BYTES_MAX = 128;
    public static final int TOKEN_BYTES_MAX = 64;
    public static final int CAUSE_BYTES_MAX = 16 << 10;
    public static final int LOOPS_MAX = 1_024;
    public static final int COUNTS_MAX = 16_384;
    /// Memory areas, buffer pools or collectors of one JVM.
    public static final int FIGURES_MAX = 16;
    public static final int FIGURE_NAME_BYTES_MAX = 64;
    public static final Duration DRAIN_MAX = Duration.ofDays(1);

    private Bounds() {
    }

    /// A text that is at most so many bytes of UTF-8: cut at a character, and what UTF-8 cannot say becomes U+FFFD.
    public static String cut(String text, int bytesMax) {
        StringBuilder kept = new StringBuilder();
        int bytes = 0;
        for (int i = 0; i < text.length();) {
            int read = text.codePointAt(i);
            int written = read >= Character.MIN_SURROGATE && read <= Character.MAX_SURROGATE ? 0xFFFD : read;
            bytes += bytesOf(written);
            if (bytes > bytesMax) {
                break;
            }
            kept.appendCodePoint(written);
            i += Character.charCount(read);
        }
        return kept.toString();
    }

    static void require(String what, long found, long min, long max) {
        if (found < min || found > max) {
            throw new IllegalArgumentException(
                    "control: " + what + ": found " + found + "; expected " + min + " to " + max);
        }
    }

    static void requireText(String what, String found, int bytesMax) {
        try {
            int bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(found)).remaining();
            require(what, bytes, 0, bytesMax);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("control: " + what + ": found half of a surrogate pair", e);
        }
    }

    private static int bytesOf(int codePoint) {
        if (codePoint < 0x80) {
            return 1;
        }
        if (codePoint < 0x800) {
            return 2;
        }
        return codePoint < 0x10000 ? 3 : 4;
    }
}
