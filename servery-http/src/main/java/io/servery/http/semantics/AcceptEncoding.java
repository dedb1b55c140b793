package io.servery.http.semantics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// What the Accept-Encoding field of a request says (RFC 9110 §12.5.3): the codings that the client likes at least as well
/// as plain content, best first.
///
/// - Between equals the order is that of [ContentCoding].
/// - Plain content is never refused. Where the client excludes it and no coding can be had, the field is disregarded, as
///   §12.4.1 allows.
/// - A field with a malformed member says nothing: the answer is plain.
/// - `x-gzip` is gzip (§8.4.1.3). Of two members that name one coding the first counts.
///
/// An absent field and the values that browsers send cost no allocation.
public final class AcceptEncoding {
    /// Plain content alone.
    public static final AcceptEncoding PLAIN = new AcceptEncoding(List.of());

    private static final String[] COMMON = {"gzip, deflate, br, zstd", "gzip, deflate, br", "gzip, deflate",
            "deflate, gzip, br, zstd", "gzip, br", "br, gzip", "gzip", "gzip,deflate", "identity", "*"};
    private static final AcceptEncoding[] COMMON_PARSED = Arrays.stream(COMMON)
            .map(value -> parse(List.of(value))).toArray(AcceptEncoding[]::new);

    private final List<ContentCoding> codings;

    private AcceptEncoding(List<ContentCoding> codings) {
        this.codings = List.copyOf(codings);
    }

    /// What this request accepts.
    public static AcceptEncoding of(RequestFields fields) {
        int count = fields.count(FieldName.ACCEPT_ENCODING);
        if (count == 0) {
            return PLAIN;
        }
        for (int i = 0; count == 1 && i < COMMON.length; i++) {
            if (fields.valueIs(FieldName.ACCEPT_ENCODING, COMMON[i])) {
                return COMMON_PARSED[i];
            }
        }
        return parse(fields.values(FieldName.ACCEPT_ENCODING));
    }

    /// What these lines accept, read as one list.
    public static AcceptEncoding parse(List<String> lines) {
        return new Reader().read(lines);
    }

    /// The codings that may be chosen instead of plain content, best first.
    public List<ContentCoding> codings() {
        return codings;
    }

    @Override
    public String toString() {
        return codings.toString();
    }

    /// Reads the members. *Owner*: one call.
    private static final class Reader {
        private static final int UNSAID = -1;
        private static final int MALFORMED = -1;
        private static final int IDENTITY = ContentCoding.total();
        private static final int ANY = IDENTITY + 1;
        private static final int OTHER = ANY + 1;

        /// In thousandths, by ordinal, then of `identity`, `*` and all others.
        private final int[] weights = new int[OTHER + 1];

        AcceptEncoding read(List<String> lines) {
            Arrays.fill(weights, UNSAID);
            for (String line : lines) {
                int at = FieldSyntax.nextMember(line, 0);
                while (at < line.length()) {
                    at = readMember(line, at);
                    if (at == MALFORMED || !FieldSyntax.endsMember(line, at)) {
                        return PLAIN;
                    }
                    at = FieldSyntax.nextMember(line, at);
                }
            }
            return ranked();
        }

        /// One past the member that starts here.
        private int readMember(String line, int from) {
            int end = FieldSyntax.tokenEnd(line, from);
            if (end == from) {
                return MALFORMED;
            }
            int slot = slot(line, from, end);
            int mark = FieldSyntax.skipBlanks(line, end);
            int weight = 1000;
            if (mark < line.length() && line.charAt(mark) == ';') {
                int number = FieldSyntax.skipBlanks(line, mark + 1);
                if (!line.regionMatches(true, number, "q=", 0, 2)) {
                    return MALFORMED;
                }
                end = weightEnd(line, number + 2);
                weight = end == MALFORMED ? 0 : weight(line, number + 2, end);
            }
            if (weights[slot] == UNSAID) {
                weights[slot] = weight;
            }
            return end;
        }

        private static int slot(String line, int from, int end) {
            for (int i = 0; i < ContentCoding.total(); i++) {
                if (is(line, from, end, ContentCoding.at(i).token())) {
                    return i;
                }
            }
            if (is(line, from, end, "x-gzip")) {
                return ContentCoding.GZIP.ordinal();
            }
            return is(line, from, end, "identity") ? IDENTITY : is(line, from, end, "*") ? ANY : OTHER;
        }

        private static boolean is(String line, int from, int end, String token) {
            return end - from == token.length() && line.regionMatches(true, from, token, 0, token.length());
        }

        /// One past the `qvalue` that starts here (RFC 9110 §12.4.2): 0 or 1, a point, up to three digits.
        private static int weightEnd(String line, int from) {
            if (from >= line.length() || line.charAt(from) != '0' && line.charAt(from) != '1') {
                return MALFORMED;
            }
            int at = from + 1;
            if (at < line.length() && line.charAt(at) == '.') {
                at++;
                char greatest = line.charAt(from) == '1' ? '0' : '9';
                int digitsEnd = Math.min(line.length(), at + 3);
                while (at < digitsEnd && line.charAt(at) >= '0' && line.charAt(at) <= greatest) {
                    at++;
                }
            }
            return at;
        }

        private static int weight(String line, int from, int end) {
            int weight = line.charAt(from) == '1' ? 1000 : 0;
            int unit = 100;
            for (int at = from + 2; at < end; at++) {
                weight += unit * (line.charAt(at) - '0');
                unit /= 10;
            }
            return weight;
        }

        private AcceptEncoding ranked() {
            int identity = weights[IDENTITY] == UNSAID ? Math.max(weights[ANY], 0) : weights[IDENTITY];
            List<ContentCoding> ranked = new ArrayList<>(ContentCoding.total());
            for (int i = 0; i < ContentCoding.total(); i++) {
                int weight = weight(i);
                if (weight > 0 && weight >= identity) {
                    ranked.add(ContentCoding.at(i));
                }
            }
            ranked.sort(Comparator.comparingInt(coding -> -weight(coding.ordinal())));
            return ranked.isEmpty() ? PLAIN : new AcceptEncoding(ranked);
        }

        private int weight(int coding) {
            return weights[coding] == UNSAID ? weights[ANY] : weights[coding];
        }
    }
}
