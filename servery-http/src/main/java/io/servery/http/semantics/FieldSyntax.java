package io.servery.http.semantics;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The common syntax of field values (RFC 9110 §5.6): tokens, blanks, quoted strings and lists.
public final class FieldSyntax {
    private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

    private FieldSyntax() {
    }

    /// Whether the text is a token: one character of `tchar` or more.
    public static boolean isToken(String text) {
        return !text.isEmpty() && tokenEnd(text, 0) == text.length();
    }

    /// Whether the character may stand in a token.
    public static boolean isTokenCharacter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
                || TOKEN_MARKS.indexOf(c) >= 0;
    }

    /// Whether the character is optional whitespace: a space or a tab, nothing else.
    public static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    /// The first position from `from` on that is no blank, or the length.
    public static int skipBlanks(String text, int from) {
        int at = from;
        while (at < text.length() && isBlank(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /// One past the longest token that starts at `from`; `from` itself when none does.
    public static int tokenEnd(String text, int from) {
        int at = from;
        while (at < text.length() && isTokenCharacter(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /// One past the quoted string that starts at `from`, or -1 when none does (RFC 9110 §5.6.4).
    public static int quotedStringEnd(String text, int from) {
        if (from >= text.length() || text.charAt(from) != '"') {
            return -1;
        }
        for (int at = from + 1; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"') {
                return at + 1;
            }
            if ((c == '\\' && ++at == text.length()) || !inQuotedPair(text.charAt(at))) {
                return -1;
            }
        }
        return -1;
    }

    /// What a quoted string says, its escapes undone; null when the text is no single quoted string.
    public static @Nullable String unquote(String text) {
        if (text.isEmpty() || quotedStringEnd(text, 0) != text.length()) {
            return null;
        }
        if (text.indexOf('\\') < 0) {
            return text.substring(1, text.length() - 1);
        }
        StringBuilder said = new StringBuilder(text.length() - 2);
        for (int at = 1; at < text.length() - 1; at++) {
            if (text.charAt(at) == '\\') {
                at++;
            }
            said.append(text.charAt(at));
        }
        return said.toString();
    }

    /// The members of a list over all lines of its field, blanks around them and empty members dropped
    /// (RFC 9110 §5.6.1.2); a comma within a quoted string separates nothing. Null when a quoted string does not end.
    public static @Nullable List<String> list(List<String> lines) {
        List<String> members = new ArrayList<>();
        for (String line : lines) {
            int from = 0;
            while (from <= line.length()) {
                int end = memberEnd(line, from);
                if (end < 0) {
                    return null;
                }
                addMember(members, line, from, end);
                from = end + 1;
            }
        }
        return members;
    }

    /// The tokens of a list over all lines, in lower case; null when a member is no token.
    public static @Nullable List<String> tokens(List<String> lines) {
        List<String> members = list(lines);
        if (members == null) {
            return null;
        }
        members.replaceAll(member -> member.toLowerCase(Locale.ROOT));
        return members.stream().allMatch(FieldSyntax::isToken) ? members : null;
    }

    /// What the Connection field of a request says about its connection (RFC 9110 §7.6.1).
    public static ConnectionOptions connectionOptions(RequestFields fields) {
        return ConnectionOptions.of(fields);
    }

    /// Whether nothing but blanks stands between here and the next comma or the end.
    static boolean endsMember(String line, int at) {
        int mark = skipBlanks(line, at);
        return mark == line.length() || line.charAt(mark) == ',';
    }

    /// Where the next member starts: past blanks, commas and the empty members between them (RFC 9110 §5.6.1.2).
    static int nextMember(String line, int from) {
        int at = from;
        while (at < line.length() && (line.charAt(at) == ',' || isBlank(line.charAt(at)))) {
            at++;
        }
        return at;
    }

    private static int memberEnd(String line, int from) {
        int at = from;
        while (at < line.length() && line.charAt(at) != ',') {
            at = line.charAt(at) == '"' ? quotedStringEnd(line, at) : at + 1;
            if (at < 0) {
                return -1;
            }
        }
        return at;
    }

    private static void addMember(List<String> members, String line, int from, int end) {
        int first = Math.min(skipBlanks(line, from), end);
        int last = end;
        while (last > first && isBlank(line.charAt(last - 1))) {
            last--;
        }
        if (last > first) {
            members.add(line.substring(first, last));
        }
    }

    /// `qdtext` and what may follow a backslash are the same here: the quote and the backslash are told apart before.
    private static boolean inQuotedPair(char c) {
        return c == '\t' || (c >= ' ' && c <= '~') || (c >= 0x80 && c <= 0xff);
    }
}
