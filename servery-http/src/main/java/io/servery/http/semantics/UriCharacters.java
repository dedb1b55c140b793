package io.servery.http.semantics;

/// The characters of a URI by the sets of RFC 3986 that this server judges by, one look-up each.
final class UriCharacters {
    /// `unreserved` (§2.3).
    static final int UNRESERVED = 1;
    /// `sub-delims` (§2.2).
    static final int SUB_DELIMITER = 2;
    /// `:` and `@`, which `pchar` adds to the two sets above (§3.3).
    static final int IN_SEGMENT = 4;
    /// `/`, which a path adds to its segments (§3.3).
    static final int IN_PATH = 8;
    /// `/` and `?`, which a query adds to `pchar` (§3.4).
    static final int IN_QUERY = 16;
    /// `:`, which IPvFuture adds to the first two sets (§3.2.2).
    static final int IN_LITERAL = 32;

    /// What no URI holds and browsers send unencoded in paths and queries all the same (`/[slug].js`, `?a[]=1`): harmless
    /// to every reader, and refusing it would break real sites. A documented, laxer reading.
    static final int AS_BROWSERS_SEND = 64;

    static final int SEGMENT = UNRESERVED | SUB_DELIMITER | IN_SEGMENT;
    static final int PATH = SEGMENT | IN_PATH | AS_BROWSERS_SEND;
    static final int QUERY = SEGMENT | IN_QUERY | AS_BROWSERS_SEND;
    static final int PATH_WRITTEN = SEGMENT | IN_PATH;
    static final int QUERY_WRITTEN = SEGMENT | IN_QUERY;
    static final int REGISTERED_NAME = UNRESERVED | SUB_DELIMITER;
    static final int LITERAL = UNRESERVED | SUB_DELIMITER | IN_LITERAL;

    private static final byte[] SETS = sets();

    private UriCharacters() {
    }

    static boolean in(int sets, char c) {
        return c < SETS.length && (SETS[c] & sets) != 0;
    }

    /// The first position from `from` on, before `end`, whose character is neither of the sets nor part of a
    /// percent-encoded octet; `end` when there is none.
    static int end(int sets, String text, int from, int end) {
        int at = from;
        while (at < end) {
            char c = text.charAt(at);
            if (in(sets, c)) {
                at++;
            } else if (c == '%' && isEncodedOctet(text, at, end)) {
                at += 3;
            } else {
                break;
            }
        }
        return at;
    }

    static boolean isEncodedOctet(String text, int at, int end) {
        return at + 2 < end && hexDigit(text.charAt(at + 1)) >= 0 && hexDigit(text.charAt(at + 2)) >= 0;
    }

    /// The value of a digit of `HEXDIG` in either case, or -1; digits of other scripts are none.
    static int hexDigit(char c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        char lower = (char) (c | 0x20);
        return lower >= 'a' && lower <= 'f' && c < 0x80 ? lower - 'a' + 10 : -1;
    }

    private static byte[] sets() {
        byte[] sets = new byte[128];
        mark(sets, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~", UNRESERVED);
        mark(sets, "!$&'()*+,;=", SUB_DELIMITER);
        mark(sets, ":@", IN_SEGMENT);
        mark(sets, "/", IN_PATH | IN_QUERY);
        mark(sets, "?", IN_QUERY);
        mark(sets, ":", IN_LITERAL);
        mark(sets, "[]^`{|}", AS_BROWSERS_SEND);
        return sets;
    }

    private static void mark(byte[] sets, String characters, int set) {
        for (int at = 0; at < characters.length(); at++) {
            sets[characters.charAt(at)] |= (byte) set;
        }
    }
}
