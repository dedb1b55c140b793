package io.servery.netty.observe;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;

/// Events as lines: for people, or one JSON object a line (RFC 8259).
final class EventText {
    /// A longer value is cut, which ends in `...`.
    static final int VALUE_CHARACTERS_MAX = 4096;

    private EventText() {
    }

    static String json(Event event, Instant time) {
        StringBuilder line = new StringBuilder(160);
        line.append("{\"timestamp\":\"").append(time.truncatedTo(ChronoUnit.MILLIS)).append("\",\"level\":\"")
                .append(event.level().name().toLowerCase(Locale.ROOT)).append("\",\"event\":");
        quote(line, event.name());
        for (Map.Entry<String, Object> field : event.fields().entrySet()) {
            line.append(',');
            quote(line, field.getKey());
            line.append(':');
            if (field.getValue() instanceof Number || field.getValue() instanceof Boolean) {
                line.append(field.getValue());
            } else {
                quote(line, field.getValue().toString());
            }
        }
        return line.append("}\n").toString();
    }

    static String human(Event event) {
        StringBuilder line = new StringBuilder(120);
        line.append(event.name());
        event.fields().forEach((name, value) -> {
            line.append(' ').append(name).append('=');
            String text = value.toString();
            if (text.isEmpty() || text.length() > VALUE_CHARACTERS_MAX
                    || text.chars().anyMatch(c -> c <= ' ' || c == '"' || c >= 0x7f)) {
                quote(line, text);
            } else {
                line.append(text);
            }
        });
        return line.append('\n').toString();
    }

    /// Appends a JSON string; control characters and what is not ASCII are escaped, so that a line stays one line and no
    /// byte of a peer reaches a terminal raw.
    static void quote(StringBuilder out, String text) {
        out.append('"');
        int end = Math.min(text.length(), VALUE_CHARACTERS_MAX);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' ' || c >= 0x7f) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append(end < text.length() ? "...\"" : "\"");
    }
}
