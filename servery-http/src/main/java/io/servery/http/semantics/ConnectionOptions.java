package io.servery.http.semantics;

import java.util.List;

/// What the Connection field asks for: whether it names `close`, `keep-alive` and `upgrade`, and whether it is a list of
/// tokens at all. Other options name fields of this hop and mean nothing to an origin server.
///
/// *Invariant*: one of 16 values made beforehand, so that reading the field allocates nothing.
public record ConnectionOptions(boolean close, boolean keepAlive, boolean upgrade, boolean malformed) {
    private static final int CLOSE = 1;
    private static final int KEEP_ALIVE = 2;
    private static final int UPGRADE = 4;
    private static final int MALFORMED = 8;
    private static final ConnectionOptions[] ALL = all();

    static ConnectionOptions of(RequestFields fields) {
        int lines = fields.count(FieldName.CONNECTION);
        if (lines == 0) {
            return ALL[0];
        }
        String first = fields.value(FieldName.CONNECTION);
        if (lines == 1 && first != null) {
            return ALL[bits(first)];
        }
        int bits = 0;
        List<String> values = fields.values(FieldName.CONNECTION);
        for (int at = 0; at < values.size(); at++) {
            bits |= bits(values.get(at));
        }
        return ALL[bits];
    }

    private static int bits(String line) {
        int bits = 0;
        int at = FieldSyntax.nextMember(line, 0);
        while (at < line.length()) {
            int end = FieldSyntax.tokenEnd(line, at);
            if (end == at || !FieldSyntax.endsMember(line, end)) {
                return bits | MALFORMED;
            }
            bits |= bit(line, at, end - at);
            at = FieldSyntax.nextMember(line, end);
        }
        return bits;
    }

    private static int bit(String line, int at, int length) {
        return switch (length) {
            case 5 -> line.regionMatches(true, at, "close", 0, length) ? CLOSE : 0;
            case 10 -> line.regionMatches(true, at, "keep-alive", 0, length) ? KEEP_ALIVE : 0;
            case 7 -> line.regionMatches(true, at, "upgrade", 0, length) ? UPGRADE : 0;
            default -> 0;
        };
    }

    private static ConnectionOptions[] all() {
        ConnectionOptions[] all = new ConnectionOptions[2 * MALFORMED];
        for (int bits = 0; bits < all.length; bits++) {
            all[bits] = new ConnectionOptions((bits & CLOSE) != 0, (bits & KEEP_ALIVE) != 0, (bits & UPGRADE) != 0,
                    (bits & MALFORMED) != 0);
        }
        return all;
    }
}
