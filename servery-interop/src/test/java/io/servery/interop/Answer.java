package io.servery.interop;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// One complete response message, as it was on the wire.
///
/// @param head the bytes up to and including the empty line
/// @param status the status code
/// @param fields in order, with names as sent
/// @param body the content after transfer coding
public record Answer(byte[] head, int status, List<Field> fields, byte[] body) implements Heard {

    /// One field line.
    public record Field(String name, String value) {
        boolean is(String other) {
            return name.equalsIgnoreCase(other);
        }
    }

    /// Every value of a field, in order.
    public List<String> values(String name) {
        return fields.stream().filter(field -> field.is(name)).map(Field::value).toList();
    }

    /// The only value of a field; empty when it is absent.
    public String value(String name) {
        List<String> values = values(name);
        return values.isEmpty() ? "" : String.join(", ", values);
    }

    public boolean interim() {
        return status < 200;
    }

    public boolean closes() {
        return Arrays.asList(value("Connection").toLowerCase(Locale.ROOT).split(" *, *", -1)).contains("close");
    }

    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /// All that is the same each time the same request is answered: not the date, and not a multipart boundary.
    String repeatable() {
        var lines = new ArrayList<String>();
        lines.add(Integer.toString(status));
        String content = new String(body, StandardCharsets.ISO_8859_1);
        String type = value("Content-Type");
        int mark = type.indexOf("boundary=");
        String boundary = mark < 0 ? "" : type.substring(mark + 9).replace("\"", "");
        for (Field field : fields) {
            if (!field.is("Date")) {
                lines.add(field.name() + ": " + field.value());
            }
        }
        String all = String.join("\n", lines) + "\n\n" + content;
        return boundary.isEmpty() ? all : all.replace(boundary, "BOUNDARY");
    }

    @Override
    public String toString() {
        return new String(head, StandardCharsets.ISO_8859_1) + "(" + body.length + " bytes)";
    }
}
