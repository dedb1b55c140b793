package io.servery.http.exchange;

import io.servery.http.semantics.FieldSyntax;
import io.servery.http.semantics.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The head of a response without what belongs to one message or one hop: no `Date`, no `Connection`, no framing other
/// than the length.
///
/// Immutable, so one that is kept with a cached body is shared by all its answers, with its encoding.
public final class ResponseHead {
    /// The length of content that is not known before it ends.
    public static final long LENGTH_UNKNOWN = -1;

    private final int status;
    private final List<Field> fields;
    private final long contentLength;
    /// Volatile because heads are shared by event loops: an array published by a race could be seen before its content.
    private volatile byte @Nullable [] http1;

    /// One response field. A name that is no token, or a value that could end the line or the head, throws `IllegalArgumentException`: it is a bug of
    /// the caller, who has let bytes of a peer through.
    public record Field(String name, String value) {
        public Field {
            if (!FieldSyntax.isToken(name)) {
                throw new IllegalArgumentException("a field name must be a token of RFC 9110 §5.6.2");
            }
            for (int i = 0; i < value.length(); i++) {
                char c = value.charAt(i);
                if (c < ' ' && c != '\t' || c == 0x7f || c > 0xff) {
                    throw new IllegalArgumentException("field " + name + ": a value cannot hold character " + (int) c);
                }
            }
        }
    }

    private ResponseHead(int status, List<Field> fields, long contentLength) {
        this.status = status;
        this.fields = fields;
        this.contentLength = contentLength;
    }

    /// A builder for a response with this status.
    public static Builder status(int status) {
        return new Builder(status);
    }

    public int status() {
        return status;
    }

    public List<Field> fields() {
        return fields;
    }

    /// The length of the content in bytes (of what GET would have, for an answer to HEAD), or `LENGTH_UNKNOWN`.
    public long contentLength() {
        return contentLength;
    }

    /// The value of the first field with this name in its written case, or null.
    public @Nullable String value(String name) {
        for (Field field : fields) {
            if (field.name().equals(name)) {
                return field.value();
            }
        }
        return null;
    }

    /// Status line and field lines for HTTP/1.1, without `Date`, `Connection`, `Transfer-Encoding` and the empty line.
    /// Made once; a race makes it twice with the same bytes.
    public byte[] http1() {
        byte[] encoded = http1;
        if (encoded == null) {
            encoded = encodeHttp1();
            http1 = encoded;
        }
        return encoded;
    }

    private byte[] encodeHttp1() {
        StringBuilder text = new StringBuilder(256);
        text.append("HTTP/1.1 ").append(status).append(' ').append(Status.phrase(status)).append("\r\n");
        for (Field field : fields) {
            text.append(field.name()).append(": ").append(field.value()).append("\r\n");
        }
        if (contentLength >= 0 && !Status.withoutContent(status)) {
            text.append("Content-Length: ").append(contentLength).append("\r\n");
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Collects the fields of a head. *Owner:* one thread.
    public static final class Builder {
        private final int status;
        private final List<Field> fields = new ArrayList<>();

        private Builder(int status) {
            this.status = status;
        }

        /// Adds a field line.
        public Builder with(String name, String value) {
            fields.add(new Field(name, value));
            return this;
        }

        /// Adds field lines.
        public Builder with(List<Field> more) {
            fields.addAll(more);
            return this;
        }

        /// The head of a response with content of this many bytes, or `LENGTH_UNKNOWN`.
        public ResponseHead length(long contentLength) {
            return new ResponseHead(status, List.copyOf(fields), contentLength);
        }
    }
}
