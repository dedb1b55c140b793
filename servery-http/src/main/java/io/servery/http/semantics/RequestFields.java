package io.servery.http.semantics;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The fields of one request as the semantics functions read them: by known name, in the order received.
public interface RequestFields {
    /// How many lines carry this name; 0 when it is absent.
    int count(FieldName name);

    /// The value of the first line with this name without surrounding blanks, or null when it is absent.
    @Nullable
    String value(FieldName name);

    /// Whether the first line with this name has exactly this value of characters up to U+00FF.
    default boolean valueIs(FieldName name, String expected) {
        return expected.equals(value(name));
    }

    /// The values of every line with this name, in the order received; empty when it is absent.
    List<String> values(FieldName name);
}
