package io.servery.core.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// JSON (RFC 8259) as an environment variable carries it: arrays and objects for keys that need them.
///
/// `null` is refused: no key has such a value. A name twice in one object is refused.
final class JsonText {
    private static final int DEPTH_MAX = 32;
    private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

    private final String text;
    private final Where where;
    private int at;

    private JsonText(String text, Where where) {
        this.text = text;
        this.where = where;
    }

    /// @throws TomlRefusal with a span in the text
    static Raw read(String text, Where where) {
        JsonText json = new JsonText(text, where);
        Raw value = json.value(0);
        json.blanks();
        if (json.at < text.length()) {
            throw json.refusal("more follows the JSON value");
        }
        return value;
    }

    private Raw value(int depth) {
        blanks();
        if (depth > DEPTH_MAX) {
            throw refusal("JSON more than " + DEPTH_MAX + " deep");
        }
        if (skip("[")) {
            return array(depth);
        }
        if (skip("{")) {
            return object(depth);
        }
        if (skip("\"")) {
            return new Raw.Scalar(string(), where);
        }
        if (skip("true")) {
            return new Raw.Scalar(true, where);
        }
        return skip("false") ? new Raw.Scalar(false, where) : number();
    }

    private Raw array(int depth) {
        List<Raw> elements = new ArrayList<>();
        blanks();
        if (skip("]")) {
            return new Raw.Sequence(List.of(), where);
        }
        do {
            elements.add(value(depth + 1));
            blanks();
        } while (skip(","));
        expect("]");
        return new Raw.Sequence(List.copyOf(elements), where);
    }

    private Raw object(int depth) {
        Map<String, Raw.Entry> entries = new LinkedHashMap<>();
        blanks();
        if (skip("}")) {
            return new Raw.Table(entries, where, false);
        }
        do {
            blanks();
            expect("\"");
            String name = string();
            blanks();
            expect(":");
            if (entries.put(name, new Raw.Entry(where, value(depth + 1))) != null) {
                throw refusal("a JSON name occurs twice");
            }
            blanks();
        } while (skip(","));
        expect("}");
        return new Raw.Table(entries, where, false);
    }

    private Raw number() {
        Matcher number = NUMBER.matcher(text).region(at, text.length());
        if (!number.lookingAt()) {
            throw refusal("expected a JSON value");
        }
        boolean integer = number.group(1) == null && number.group(2) == null;
        try {
            Object value = integer ? (Object) Long.valueOf(number.group()) : (Object) Double.valueOf(number.group());
            at = number.end();
            return new Raw.Scalar(value, where);
        } catch (NumberFormatException _) {
            throw refusal("an integer beyond 64 bits");
        }
    }

    private String string() {
        StringBuilder decoded = new StringBuilder();
        while (!skip("\"")) {
            if (at >= text.length()) {
                throw refusal("a JSON string that does not end");
            }
            char c = text.charAt(at++);
            if (c < ' ') {
                throw refusal("a control character in a JSON string");
            }
            decoded.append(c == '\\' ? escaped() : c);
        }
        if (decoded.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
            throw refusal("half a surrogate pair in a JSON string");
        }
        return decoded.toString();
    }

    private char escaped() {
        char c = at < text.length() ? text.charAt(at++) : 0;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw refusal("an unknown escape in a JSON string");
        };
    }

    private char unicode() {
        String digits = text.substring(at, Math.min(at + 4, text.length()));
        if (!digits.matches("[0-9A-Fa-f]{4}")) {
            throw refusal("a JSON escape needs 4 hexadecimal digits");
        }
        at += 4;
        return (char) Integer.parseInt(digits, 16);
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean skip(String token) {
        if (!text.startsWith(token, at)) {
            return false;
        }
        at += token.length();
        return true;
    }

    private void expect(String token) {
        if (!skip(token)) {
            throw refusal("expected `" + token + "` in JSON");
        }
    }

    private TomlRefusal refusal(String what) {
        return new TomlRefusal(new Span(at, at), what + " at character " + (at + 1));
    }
}
