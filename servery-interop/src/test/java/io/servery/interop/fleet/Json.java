package io.servery.interop.fleet;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A strict reading of JSON texts (RFC 8259): maps, lists, strings, numbers as doubles, truth values and null.
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static @Nullable Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.blanks();
        if (json.at != text.length()) {
            throw json.wrong("the end");
        }
        return value;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(String text) {
        if (parse(text) instanceof Map<?, ?> map) {
            return (Map<String, Object>) map;
        }
        throw new AssertionError("expected a JSON object, found: " + text);
    }

    private @Nullable Object value() {
        blanks();
        return switch (peek()) {
            case '{' -> map();
            case '[' -> list();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> map() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        take('{');
        for (boolean more = !closes('}'); more; more = comma('}')) {
            blanks();
            String name = string();
            blanks();
            take(':');
            if (map.containsKey(name)) {
                throw wrong("one member `" + name + "`");
            }
            map.put(name, value());
        }
        return map;
    }

    private List<@Nullable Object> list() {
        List<@Nullable Object> list = new ArrayList<>();
        take('[');
        for (boolean more = !closes(']'); more; more = comma(']')) {
            list.add(value());
        }
        return list;
    }

    private boolean closes(char bracket) {
        blanks();
        if (peek() == bracket) {
            at++;
            return true;
        }
        return false;
    }

    private boolean comma(char bracket) {
        if (closes(bracket)) {
            return false;
        }
        take(',');
        return true;
    }

    private String string() {
        take('"');
        StringBuilder string = new StringBuilder();
        for (char next = peek(); next != '"'; next = peek()) {
            at++;
            if (next < ' ') {
                throw wrong("no control character in a string");
            }
            string.append(next == '\\' ? escaped() : next);
        }
        at++;
        return string.toString();
    }

    private char escaped() {
        char kind = peek();
        at++;
        return switch (kind) {
            case '"', '\\', '/' -> kind;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                at += 4;
                yield (char) Integer.parseInt(text, at - 4, at, 16);
            }
            default -> throw wrong("an escape");
        };
    }

    private @Nullable Object word(String word, @Nullable Object meaning) {
        if (!text.startsWith(word, at)) {
            throw wrong(word);
        }
        at += word.length();
        return meaning;
    }

    private Double number() {
        int from = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        if (from == at) {
            throw wrong("a value");
        }
        return Double.valueOf(text.substring(from, at));
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw wrong("more");
        }
        return text.charAt(at);
    }

    private void take(char expected) {
        if (peek() != expected) {
            throw wrong("`" + expected + "`");
        }
        at++;
    }

    private AssertionError wrong(String expected) {
        return new AssertionError("no JSON: expected " + expected + " at character " + at + " of: " + text);
    }
}
