package io.servery.netty.files;

import io.servery.http.exchange.BodySource;
import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponsePlan;
import io.servery.http.semantics.AcceptEncoding;
import io.servery.http.semantics.ByteRange;
import io.servery.http.semantics.ContentCoding;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A file read into memory, with its usual answers ready: any number of requests share it, and those answers.
final class MemoryFile implements FileSource, KeptSource {
    /// The objects of a form that lies beside, apart from the bytes that are counted.
    private static final int OVERHEAD_BYTES = 1_024;

    private final Representation representation;
    private final byte[] content;
    private final Map<ContentCoding, MemoryFile> beside;
    private final Answer.Given whole;
    private final Answer.Given headOnly;
    private final Answer.Given notModified;
    private final int headBytes;

    MemoryFile(Representation representation, byte[] content) {
        this(representation, content, Map.of());
    }

    /// @param beside what lay beside the file, by its coding
    MemoryFile(Representation representation, byte[] content, Map<ContentCoding, MemoryFile> beside) {
        this.representation = representation.digests() ? representation.digested(content) : representation;
        this.content = content;
        this.beside = beside;
        ResponseHead head = this.representation.whole();
        ResponseHead unchanged = representation.notModified();
        this.whole = new Answer.Given(new ResponsePlan.Bytes(head, content));
        this.headOnly = new Answer.Given(new ResponsePlan.Empty(head));
        this.notModified = new Answer.Given(new ResponsePlan.Empty(unchanged));
        this.headBytes = head.http1().length + unchanged.http1().length;
    }

    @Override
    public byte[] bytes(byte[] room) {
        return content;
    }

    /// Itself: which form answers is for `beside` to say.
    @Override
    public FileSource take(AcceptEncoding accepted) {
        return this;
    }

    /// Its encoded heads and what lay beside it included.
    @Override
    public long bytesHeld() {
        long own = content.length + (long) headBytes;
        return own + beside.values().stream().mapToLong(file -> file.bytesHeld() + OVERHEAD_BYTES).sum();
    }

    @Override
    public int descriptors() {
        return 0;
    }

    @Override
    public void letGo() {
        // The collector finds out.
    }

    /// The form beside it that is liked best; null when none is.
    @Nullable
    MemoryFile beside(AcceptEncoding accepted) {
        for (int i = 0; i < accepted.codings().size() && !beside.isEmpty(); i++) {
            MemoryFile file = beside.get(accepted.codings().get(i));
            if (file != null) {
                return file;
            }
        }
        return null;
    }

    @Override
    public Representation representation() {
        return representation;
    }

    @Override
    public List<BodySource.Part> parts() {
        return List.of(new BodySource.Part.Chunk(content));
    }

    @Override
    public Answer.Given whole() {
        return whole;
    }

    @Override
    public Answer.Given headOnly() {
        return headOnly;
    }

    @Override
    public Answer.Given notModified() {
        return notModified;
    }

    @Override
    public ResponsePlan part(ByteRange range) {
        return new ResponsePlan.Bytes(representation.part(range), slice(range));
    }

    @Override
    public ResponsePlan parts(List<ByteRange> ranges, String boundary) {
        Multipart multipart = new Multipart(representation, ranges, boundary);
        return new ResponsePlan.Bytes(representation.parts(boundary, multipart.length()), multipart.bytes(content));
    }

    @Override
    public ResponsePlan under(ResponseHead head) {
        return new ResponsePlan.Bytes(head, content);
    }

    @Override
    public void unused() {
        // Shared: there is nothing to give back.
    }

    private byte[] slice(ByteRange range) {
        return Arrays.copyOfRange(content, (int) range.first(), (int) range.last() + 1);
    }
}
