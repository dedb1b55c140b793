package io.servery.netty.files;

import io.servery.http.exchange.BodySource;
import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponsePlan;
import io.servery.http.semantics.ByteRange;
import java.util.List;

/// Long content in memory that answers one request, and is counted for as long as that takes.
///
/// @param content all of it, in an array of its length
/// @param letGo called once, when the answer is out or there is none
record HeldBytes(ReadyHeads heads, byte[] content, Runnable letGo) implements FileSource {
    @Override
    public Representation representation() {
        return heads.representation();
    }

    @Override
    public byte[] bytes(byte[] room) {
        return content;
    }

    @Override
    public List<BodySource.Part> parts() {
        return List.of(new BodySource.Part.Chunk(content));
    }

    @Override
    public Answer.Given whole() {
        return new Answer.Given(under(heads.whole()));
    }

    @Override
    public Answer.Given headOnly() {
        letGo.run();
        return new Answer.Given(new ResponsePlan.Empty(heads.whole()));
    }

    @Override
    public Answer.Given notModified() {
        letGo.run();
        return new Answer.Given(new ResponsePlan.Empty(heads.notModified()));
    }

    @Override
    public ResponsePlan part(ByteRange range) {
        return new ResponsePlan.Stream(representation().part(range),
                new BytesInParts(content, (int) range.first(), (int) range.last() + 1, letGo));
    }

    @Override
    public ResponsePlan parts(List<ByteRange> ranges, String boundary) {
        Multipart multipart = new Multipart(representation(), ranges, boundary);
        byte[] all = multipart.bytes(content);
        return new ResponsePlan.Stream(representation().parts(boundary, multipart.length()),
                new BytesInParts(all, 0, all.length, letGo));
    }

    @Override
    public ResponsePlan under(ResponseHead head) {
        return new ResponsePlan.Stream(head, new BytesInParts(content, 0, content.length, letGo));
    }

    @Override
    public void unused() {
        letGo.run();
    }
}
