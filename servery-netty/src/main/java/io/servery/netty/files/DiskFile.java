package io.servery.netty.files;

import io.servery.http.exchange.AcquiredFile;
import io.servery.http.exchange.BodySource;
import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponsePlan;
import io.servery.http.semantics.ByteRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An opened file that answers one request: a plan with bytes takes it over, any other answer closes it.
record DiskFile(ReadyHeads heads, AcquiredFile file) implements FileSource {
    private static final int READ_BYTES = 64 * 1024;

    @Override
    public Representation representation() {
        return heads.representation();
    }

    @Override
    public byte @Nullable [] bytes(byte[] room) {
        int size = Math.toIntExact(representation().size());
        ByteBuffer buffer = ByteBuffer.wrap(room);
        try {
            int count = 0;
            while (buffer.position() < size && count >= 0) {
                // The JDK reads by way of memory of its own, which each thread keeps: as little of it as does no harm.
                buffer.limit(Math.min(size, buffer.position() + READ_BYTES));
                count = file.channel().read(buffer, buffer.position());
            }
        } catch (IOException e) {
            return null;
        }
        return buffer.position() == size && file.unchanged() ? room : null;
    }

    @Override
    public List<BodySource.Part> parts() {
        return List.of(new BodySource.Part.FilePart(file, 0, representation().size()));
    }

    @Override
    public Answer.Given whole() {
        return new Answer.Given(under(heads.whole()));
    }

    @Override
    public Answer.Given headOnly() {
        file.close();
        return new Answer.Given(new ResponsePlan.Empty(heads.whole()));
    }

    @Override
    public Answer.Given notModified() {
        file.close();
        return new Answer.Given(new ResponsePlan.Empty(heads.notModified()));
    }

    @Override
    public ResponsePlan part(ByteRange range) {
        return new ResponsePlan.FileRange(representation().part(range), file, range.first());
    }

    @Override
    public ResponsePlan parts(List<ByteRange> ranges, String boundary) {
        Multipart multipart = new Multipart(representation(), ranges, boundary);
        return new ResponsePlan.Stream(representation().parts(boundary, multipart.length()), multipart.source(file));
    }

    @Override
    public ResponsePlan under(ResponseHead head) {
        if (representation().size() == 0) {
            file.close();
            return new ResponsePlan.Empty(head);
        }
        return new ResponsePlan.FileRange(head, file, 0);
    }

    @Override
    public void unused() {
        file.close();
    }
}
