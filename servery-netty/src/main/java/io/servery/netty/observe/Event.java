package io.servery.netty.observe;

import io.servery.core.config.Logging;
import java.util.LinkedHashMap;
import java.util.Map;

/// Something that happened, in the vocabulary of `docs/reference/events.md`: a name, and fields of fixed names.
///
/// @param name such as `runtime.state_changed`
/// @param fields in the order in which they are written; values are numbers, booleans or text
public record Event(Logging.Level level, String name, Map<String, Object> fields) {
    /// An event without fields.
    public static Event of(Logging.Level level, String name) {
        return new Event(level, name, new LinkedHashMap<>());
    }

    /// This event with one more field.
    public Event with(String field, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(fields);
        more.put(field, value);
        return new Event(level, name, more);
    }
}
