package io.servery.interop.fleet;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/// One event, as it stands on standard error.
///
/// @param fields all of them
public record Event(Map<String, Object> fields) {
    /// Those of a text, in which other lines may be.
    static List<Event> all(String text) {
        return text.lines().filter(line -> line.startsWith("{")).map(Json::object).map(Event::new).toList();
    }

    public String name() {
        return text("event");
    }

    public boolean is(String name) {
        return name().equals(name);
    }

    /// A field; empty when it is absent.
    public String text(String field) {
        return switch (fields.get(field)) {
            case null -> "";
            case Double number when number == Math.rint(number) -> Long.toString(number.longValue());
            case Object value -> value.toString();
        };
    }

    Instant at() {
        return Instant.parse(text("timestamp"));
    }

    /// Whether it is of the same slot and generation.
    boolean sameWorker(Event other) {
        return text("worker").equals(other.text("worker")) && text("generation").equals(other.text("generation"));
    }

    /// Whether it is of this process.
    boolean of(long pid) {
        return text("pid").equals(Long.toString(pid));
    }
}
