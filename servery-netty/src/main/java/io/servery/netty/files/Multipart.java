package io.servery.netty.files;

import io.servery.http.exchange.AcquiredFile;
import io.servery.http.exchange.BodySource;
import io.servery.http.semantics.ByteRange;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Several parts of one representation as `multipart/byteranges` (RFC 9110 §14.6), with a length known beforehand.
final class Multipart {
    private final List<ByteRange> ranges;
    private final List<byte[]> partHeads = new ArrayList<>();
    private final byte[] end;
    private final long length;

    Multipart(Representation representation, List<ByteRange> ranges, String boundary) {
        this.ranges = ranges;
        this.end = ascii("\r\n--" + boundary + "--\r\n");
        String contentType = representation.described("Content-Type");
        String coding = representation.described(Representation.CONTENT_ENCODING);
        long total = end.length;
        for (ByteRange range : ranges) {
            byte[] head = ascii((partHeads.isEmpty() ? "--" : "\r\n--") + boundary
                    + (contentType == null ? "" : "\r\nContent-Type: " + contentType)
                    + (coding == null ? "" : "\r\nContent-Encoding: " + coding)
                    + "\r\nContent-Range: " + range.contentRange(representation.size()) + "\r\n\r\n");
            partHeads.add(head);
            total += head.length + range.length();
        }
        this.length = total;
    }

    /// The length of all parts with what separates them, in bytes.
    long length() {
        return length;
    }

    /// The whole of it from content in memory.
    byte[] bytes(byte[] content) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(length));
        for (int i = 0; i < ranges.size(); i++) {
            ByteRange range = ranges.get(i);
            bytes.put(partHeads.get(i)).put(content, (int) range.first(), (int) range.length());
        }
        return bytes.put(end).array();
    }

    /// The whole of it piece by piece; the source takes the file over.
    BodySource source(AcquiredFile file) {
        List<BodySource.Part> parts = new ArrayList<>();
        for (int i = 0; i < ranges.size(); i++) {
            ByteRange range = ranges.get(i);
            parts.add(new BodySource.Part.Chunk(partHeads.get(i)));
            parts.add(new BodySource.Part.FilePart(file, range.first(), range.length()));
        }
        parts.add(new BodySource.Part.Chunk(end));
        return new PartsOfFile(parts, file);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /// What a source gives, from one opened file.
    static final class PartsOfFile implements BodySource {
        private final List<Part> parts;
        private final AcquiredFile file;
        private int next;

        PartsOfFile(List<Part> parts, AcquiredFile file) {
            this.parts = List.copyOf(parts);
            this.file = file;
        }

        /// All of it, given or not.
        List<Part> parts() {
            return parts;
        }

        @Override
        public @Nullable Part next() {
            return next < parts.size() ? parts.get(next++) : null;
        }

        @Override
        public void close() {
            file.close();
        }
    }
}
