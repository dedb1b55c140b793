package io.servery.admin;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// One answer of the admin listener, with the content that GET gets; the answer to HEAD is sent without it.
public record AdminAnswer(int status, List<Field> fields, byte[] content) implements AdminOutcome {
    /// One response field.
    public record Field(String name, String value) {
    }

    private static final String TEXT = "text/plain; charset=utf-8";

    public AdminAnswer {
        fields = List.copyOf(fields);
    }

    /// An answer in plain text, with more fields than every answer has.
    static AdminAnswer text(int status, String text, Field... more) {
        return of(status, TEXT, text.getBytes(StandardCharsets.UTF_8), more);
    }

    /// An answer whose fields keep it out of every cache and keep browsers from guessing its type.
    static AdminAnswer of(int status, String contentType, byte[] content, Field... more) {
        List<Field> fields = new ArrayList<>();
        fields.add(new Field("Content-Type", contentType));
        fields.add(new Field("Cache-Control", "no-store"));
        fields.add(new Field("X-Content-Type-Options", "nosniff"));
        fields.addAll(List.of(more));
        return new AdminAnswer(status, fields, content);
    }
}
