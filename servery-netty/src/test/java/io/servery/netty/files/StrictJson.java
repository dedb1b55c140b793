package io.servery.netty.files;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// JSON exactly as RFC 8259 has it, with no repeated names: for what this server writes.
final class StrictJson {
    private final String text;
    private int at;

    private StrictJson(String text) {
        this.text = text;
    }

    /// Maps, lists, strings, longs, booleans and null.
    static Object parse(String text) {
        StrictJson json = new StrictJson(text);
        Object value = json.value();
        json.blanks();
        json.check(json.at == text.length(), "the end");
        return value;
    }

    private Object value() {
        blanks();
        check(at < text.length(), "a value");
        return switch (text.charAt(at)) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        blanks();
        if (take('}')) {
            return members;
        }
        do {
            blanks();
            String name = string();
            blanks();
            check(take(':'), "a colon");
            Object value = value();
            check(!members.containsKey(name), "another name than " + name);
            members.put(name, value);
            blanks();
        } while (take(','));
        check(take('}'), "}");
        return members;
    }

    private List<Object> array() {
        List<Object> elements = new ArrayList<>();
        at++;
        blanks();
        if (take(']')) {
            return elements;
        }
        do {
            elements.add(value());
            blanks();
        } while (take(','));
        check(take(']'), "]");
        return elements;
    }

    private String string() {
        check(take('"'), "a string");
        StringBuilder string = new StringBuilder();
        while (!take('"')) {
            check(at < text.length() && text.charAt(at) >= ' ', "no control character");
            char c = text.charAt(at++);
            string.append(c == '\\' ? escape() : c);
        }
        return string.toString();
    }

    private char escape() {
        char c = text.charAt(at++);
        int named = "\"\\/bfnrt".indexOf(c);
        if (named >= 0) {
            return "\"\\/\b\f\n\r\t".charAt(named);
        }
        String digits = text.substring(at, at + 4);
        check(c == 'u' && digits.matches("[0-9a-fA-F]{4}"), "an escape");
        at += 4;
        return (char) Integer.parseInt(digits, 16);
    }

    private Object word(String word, Object value) {
        check(text.startsWith(word, at), word);
        at += word.length();
        return value;
    }

    private Long number() {
        int from = at;
        while (at < text.length() && "-0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String number = text.substring(from, at);
        check(number.matches("-?(0|[1-9][0-9]*)"), "an integer");
        return Long.valueOf(number);
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean take(char c) {
        boolean there = at < text.length() && text.charAt(at) == c;
        at += there ? 1 : 0;
        return there;
    }

    private void check(boolean right, String expected) {
        if (!right) {
            throw new AssertionError("JSON at " + at + ": expected " + expected + " in " + text);
        }
    }
}
