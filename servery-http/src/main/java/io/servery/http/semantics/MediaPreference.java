package io.servery.http.semantics;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Which of the media types on offer a request would rather have: proactive negotiation by Accept (RFC 9110 §12.5.1).
///
/// *Not here*: the `Vary` that every answer of such a choice needs (§12.5.5).
public final class MediaPreference {
    private static final int WEIGHT_MAX = 1_000;
    private static final int UNMATCHED = -1;

    private MediaPreference() {
    }

    /// The type with the greatest weight. Among equal weights, the one that was named more exactly, for who writes
    /// `application/json, */*` means the first; then the one that is offered first.
    ///
    /// A request that accepts none of them is answered with the first too, as one without Accept is: §12.5.1 leaves the
    /// choice between that and 406, and a client finds more use in an answer that it can look at. A member that is no
    /// media range counts for nothing.
    ///
    /// @param offered types and subtypes in lower case, the server's own favourite first
    public static String of(RequestFields fields, List<String> offered) {
        List<String> members = FieldSyntax.list(fields.values(FieldName.ACCEPT));
        String best = offered.getFirst();
        if (members == null || members.isEmpty()) {
            return best;
        }
        List<MediaRange> ranges = members.stream().map(MediaRange::parse).filter(MediaPreference::present).toList();
        int bestRank = 0;
        for (String type : offered) {
            int rank = rank(ranges, type);
            if (rank > bestRank) {
                best = type;
                bestRank = rank;
            }
        }
        return best;
    }

    private static boolean present(@Nullable MediaRange range) {
        return range != null;
    }

    /// The weight by the most exact range that matches, before how exact that is; 0 when the type is not acceptable.
    private static int rank(List<MediaRange> ranges, String type) {
        int exactness = UNMATCHED;
        int weight = 0;
        for (MediaRange range : ranges) {
            int matched = range.exactness(type);
            if (matched > exactness || matched == exactness && range.weight > weight) {
                exactness = matched;
                weight = matched == UNMATCHED ? 0 : range.weight;
            }
        }
        return weight == 0 ? 0 : weight * 4 + exactness;
    }

    /// @param name in lower case, such as `text/html`, `text/*` and `*/*`
    /// @param qualified whether it has parameters, which nothing on offer has
    private record MediaRange(String name, boolean qualified, int weight) {
        /// 2 for the type itself, 1 for all of its kind, 0 for anything, -1 when it is not meant.
        int exactness(String type) {
            if (qualified) {
                return UNMATCHED;
            }
            if (name.equals(type)) {
                return 2;
            }
            boolean ofItsKind = name.endsWith("/*") && type.startsWith(name.substring(0, name.length() - 1));
            return ofItsKind ? 1 : name.equals("*/*") ? 0 : UNMATCHED;
        }

        static @Nullable MediaRange parse(String member) {
            int slash = FieldSyntax.tokenEnd(member, 0);
            if (slash == 0 || slash == member.length() || member.charAt(slash) != '/') {
                return null;
            }
            int end = FieldSyntax.tokenEnd(member, slash + 1);
            String name = member.substring(0, end).toLowerCase(Locale.ROOT);
            if (end == slash + 1 || name.startsWith("*/") && !name.equals("*/*")) {
                return null;
            }
            return parameters(name, member, end);
        }

        /// `charset` does not qualify: text is sent as UTF-8 whatever is asked for, and JSON has none (RFC 8259 §11). What
        /// follows the weight, an extension of RFC 7231 that RFC 9110 dropped, is read and means nothing.
        private static @Nullable MediaRange parameters(String name, String member, int from) {
            boolean qualified = false;
            int weight = UNMATCHED;
            int at = FieldSyntax.skipBlanks(member, from);
            while (at < member.length()) {
                if (member.charAt(at) != ';') {
                    return null;
                }
                at = FieldSyntax.skipBlanks(member, at + 1);
                int equals = FieldSyntax.tokenEnd(member, at);
                int end = equals == at ? at : valueEnd(member, equals);
                if (end < 0) {
                    return null;
                }
                String parameter = member.substring(at, equals).toLowerCase(Locale.ROOT);
                if (parameter.equals("q") && weight == UNMATCHED) {
                    weight = thousandths(member.substring(equals + 1, end));
                    if (weight == UNMATCHED) {
                        return null;
                    }
                } else if (weight == UNMATCHED && !parameter.isEmpty() && !parameter.equals("charset")) {
                    qualified = true;
                }
                at = FieldSyntax.skipBlanks(member, end);
            }
            return new MediaRange(name, qualified, weight == UNMATCHED ? WEIGHT_MAX : weight);
        }

        private static int valueEnd(String member, int equals) {
            if (equals == member.length() || member.charAt(equals) != '=') {
                return -1;
            }
            int quoted = FieldSyntax.quotedStringEnd(member, equals + 1);
            int token = FieldSyntax.tokenEnd(member, equals + 1);
            return quoted >= 0 ? quoted : token > equals + 1 ? token : -1;
        }
    }

    /// A `qvalue` in thousandths (RFC 9110 §12.4.2), or -1.
    private static int thousandths(String text) {
        boolean form = !text.isEmpty() && text.length() <= 5 && (text.charAt(0) == '0' || text.charAt(0) == '1')
                && (text.length() == 1 || text.charAt(1) == '.');
        if (!form) {
            return UNMATCHED;
        }
        int weight = text.charAt(0) - '0';
        for (int at = 2; at < 5; at++) {
            char digit = at < text.length() ? text.charAt(at) : '0';
            if (digit < '0' || digit > '9') {
                return UNMATCHED;
            }
            weight = weight * 10 + digit - '0';
        }
        return weight <= WEIGHT_MAX ? weight : UNMATCHED;
    }
}
