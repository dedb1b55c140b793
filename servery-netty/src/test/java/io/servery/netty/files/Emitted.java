package io.servery.netty.files;

import io.servery.http.exchange.AcquiredFile;
import io.servery.http.exchange.BodySource;
import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponsePlan;
import io.servery.http.semantics.Status;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// A response plan as a transport would send it: the head and the bytes; the plan is released.
///
/// @param complete false when the file was no longer what it had been: a transport cuts the connection then
record Emitted(ResponseHead head, byte[] content, boolean complete) {
    static Emitted of(ResponsePlan plan, boolean withContent) {
        try {
            if (!withContent || Status.withoutContent(plan.head().status())) {
                return new Emitted(plan.head(), new byte[0], true);
            }
            return emitted(plan);
        } finally {
            plan.release();
        }
    }

    private static Emitted emitted(ResponsePlan plan) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        boolean complete = switch (plan) {
            case ResponsePlan.Empty _ -> true;
            case ResponsePlan.Bytes(ResponseHead _, byte[] content) -> {
                out.writeBytes(content);
                yield true;
            }
            case ResponsePlan.FileRange range -> copy(range.file(), range.offset(), range.length(), out);
            case ResponsePlan.Stream(ResponseHead _, BodySource source) -> pull(source, out);
        };
        return new Emitted(plan.head(), out.toByteArray(), complete);
    }

    private static boolean pull(BodySource source, ByteArrayOutputStream out) {
        for (BodySource.Part part = source.next(); part != null; part = source.next()) {
            switch (part) {
                case BodySource.Part.Chunk(byte[] bytes) -> out.writeBytes(bytes);
                case BodySource.Part.FilePart(AcquiredFile file, long offset, long length) -> {
                    if (!copy(file, offset, length, out)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private static boolean copy(AcquiredFile file, long offset, long length, ByteArrayOutputStream out) {
        ByteBuffer bytes = ByteBuffer.allocate((int) length);
        try {
            int count = 0;
            while (bytes.hasRemaining() && count >= 0) {
                count = file.channel().read(bytes, offset + bytes.position());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (bytes.hasRemaining() || !file.unchanged()) {
            return false;
        }
        out.writeBytes(bytes.array());
        return true;
    }

    int status() {
        return head.status();
    }

    String text() {
        return new String(content, StandardCharsets.UTF_8);
    }

    String field(String name) {
        return head.value(name);
    }

    List<String> names() {
        return head.fields().stream().map(ResponseHead.Field::name).toList();
    }
}
