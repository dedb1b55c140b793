package io.servery.netty.files;

import java.util.regex.Pattern;

/// A pattern over paths below a root, written by the operator.
///
/// `*` is any text within a segment, `**` any text, `?` one character of a segment, `[a-z]` and `[!a-z]` one of a set,
/// `{a,b}` one of several; a backslash takes the next character as it is. A pattern without a slash is one for the last
/// segment, at any depth.
final class Glob {
    private static final String SPECIAL = "\\.^$|+()[]{}*?";

    private final Pattern pattern;
    private final boolean lastSegmentAlone;

    Glob(String text) {
        String anchored = text.startsWith("/") ? text.substring(1) : text;
        this.lastSegmentAlone = text.indexOf('/') < 0;
        this.pattern = Pattern.compile(expression(anchored), Pattern.DOTALL);
    }

    /// Whether the path, relative to the root, is one of those that the pattern means.
    boolean matches(String path) {
        return pattern.matcher(lastSegmentAlone ? path.substring(path.lastIndexOf('/') + 1) : path).matches();
    }

    private static String expression(String glob) {
        StringBuilder expression = new StringBuilder();
        int alternatives = 0;
        int at = 0;
        while (at < glob.length()) {
            char c = glob.charAt(at++);
            switch (c) {
                case '*' -> {
                    boolean any = at < glob.length() && glob.charAt(at) == '*';
                    at += any ? 1 : 0;
                    expression.append(any ? ".*" : "[^/]*");
                }
                case '?' -> expression.append("[^/]");
                case '[' -> at = set(glob, at, expression);
                case '{' -> {
                    alternatives++;
                    expression.append("(?:");
                }
                case '}' -> expression.append(alternatives-- > 0 ? ")" : "\\}");
                case ',' -> expression.append(alternatives > 0 ? '|' : ',');
                case '\\' -> literal(expression, at < glob.length() ? glob.charAt(at++) : '\\');
                default -> literal(expression, c);
            }
        }
        return expression.append(")".repeat(Math.max(0, alternatives))).toString();
    }

    /// Writes the set that begins at `from`, or a bracket where no set ends; the place after it.
    private static int set(String glob, int from, StringBuilder expression) {
        int close = glob.indexOf(']', from + 1);
        if (close < 0) {
            expression.append("\\[");
            return from;
        }
        boolean negated = glob.charAt(from) == '!';
        expression.append(negated ? "[^/" : "[");
        for (int at = negated ? from + 1 : from; at < close; at++) {
            char c = glob.charAt(at);
            expression.append(c == '-' ? "-" : Character.isLetterOrDigit(c) ? "" + c : "\\" + c);
        }
        expression.append(']');
        return close + 1;
    }

    private static void literal(StringBuilder expression, char c) {
        if (SPECIAL.indexOf(c) >= 0) {
            expression.append('\\');
        }
        expression.append(c);
    }
}
