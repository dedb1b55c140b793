package io.servery.http.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.servery.core.reason.Reason;
import io.servery.http.exchange.AcquiredFile;
import io.servery.http.exchange.BodySource;
import io.servery.http.exchange.HttpVersion;
import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponsePlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Emits response plans as HTTP/1.1 messages, in the order in which they are given: heads and small contents are gathered
/// into one write, large files go by sendfile(2) once they are in memory, sources are pulled as the peer takes their
/// parts. Over TLS, what is large is encrypted part by part as the peer takes it, so that what one connection holds is bounded.
///
/// *Owner:* the event loop. *Invariant:* at most one plan is in flight; it is released when it is out or cut short.
final class PlanWriter {
    /// Answers that may be on their way to the peer before the next request is looked at.
    static final int DEPTH_MAX = 16;

    private static final byte[] CONNECTION_CLOSE = ascii("Connection: close\r\n");
    private static final byte[] CONNECTION_KEEP_ALIVE = ascii("Connection: keep-alive\r\n");
    private static final byte[] CHUNKED = ascii("Transfer-Encoding: chunked\r\n");
    private static final byte[] CRLF = ascii("\r\n");
    private static final byte[] LAST_CHUNK = ascii("0\r\n\r\n");
    private static final byte[] CONTINUE = ascii("HTTP/1.1 100 Continue\r\n\r\n");

    private static final int GATHERED_BYTES_MAX = 64 * 1024;
    /// Content past this is not copied into the gathered bytes but written beside them.
    static final int COPIED_BYTES_MAX = 16 * 1024;
    /// The lines that are not of the plan's head.
    private static final int LINES_BYTES = 192;

    /// How much is encrypted at a time, of a file or of content in memory: one part waits for the peer while the socket holds
    /// what is before it. Four records of TLS.
    static final int SECURED_BYTES = 64 * 1024;
    /// After so much others have their turn: a peer that takes as fast as we encrypt would keep the event loop.
    private static final int TURN_BYTES = 1024 * 1024;

    /// Told how a plan that could not be emitted at once ended.
    interface Listener {
        /// The plan is out.
        void planWritten();

        /// The plan can not be completed.
        ///
        /// @param reason `SHORT_READ` when the file is not what it was, `STORAGE_FAILURE`, `MEMORY_CAPACITY`; null when the
        ///        peer is gone
        void planBroken(@Nullable Reason reason);

        /// The plan cannot be completed because code threw that should not have.
        void broken(RuntimeException bug);

        /// The plan cannot be completed because there is no memory for buffers.
        void outOfMemory();

        /// Giving back what a plan held threw; the answer is not concerned.
        void planNotReleased(RuntimeException bug);

        /// Something was flushed, and the peer may not have taken it yet.
        void flushed();
    }

    private final ChannelHandlerContext ctx;
    private final ChannelHandlerContext beneath;
    private final Outbound outbound;
    private final boolean secure;
    private final LoopResources loop;
    private final Listener listener;
    private final Runnable nextPart = this::nextPart;
    private final ReadAhead ahead;

    private @Nullable ByteBuf gathered;
    /// Whether the channel was handed bytes since it was last flushed.
    private boolean unflushed;
    private int answersQueued;
    private @Nullable ResponsePlan inFlight;
    private boolean roomAwaited;
    private boolean chunking;
    private long promisedBytes;
    private @Nullable AcquiredFile file;
    private @Nullable OpenFileRegion region;
    private byte @Nullable [] content;
    private long position;
    private long end;
    private long contentBytes;
    private long partsWritten;
    private long turnBytes;

    /// @param beneath the place beneath TLS; the same as `ctx` without it
    PlanWriter(ChannelHandlerContext ctx, ChannelHandlerContext beneath, LoopResources loop, Listener listener) {
        this.ctx = ctx;
        this.beneath = beneath;
        secure = !beneath.equals(ctx);
        outbound = new Outbound(ctx.channel());
        this.loop = loop;
        this.listener = listener;
        ahead = new ReadAhead(ctx.executor(), nextPart);
    }

    /// How many bytes of the current plan's content are out.
    long contentBytes() {
        return region == null ? contentBytes : contentBytes + region.transferred();
    }

    /// Emits a plan; true when it is gathered as a whole, false when the listener will be told.
    boolean write(ResponsePlan plan, Http1Exchange exchange) {
        answersQueued++;
        contentBytes = 0;
        ResponseHead head = plan.head();
        AnswerFraming framing = AnswerFraming.of(head, exchange);
        chunking = framing == AnswerFraming.CHUNKED;
        promisedBytes = head.contentLength();
        int contentHint = plan instanceof ResponsePlan.Bytes bytes ? bytes.content().length : 0;
        try {
            gatherHead(head, exchange, Math.min(contentHint, COPIED_BYTES_MAX));
        } catch (OutOfMemoryError e) {
            release(plan);
            throw e;
        }
        if (!AnswerFraming.sendsContent(head, exchange)) {
            release(plan);
            return true;
        }
        return switch (plan) {
            case ResponsePlan.Empty _ -> {
                endChunks();
                yield true;
            }
            case ResponsePlan.Bytes bytes -> writeContent(bytes);
            case ResponsePlan.FileRange range -> writeRange(range);
            case ResponsePlan.Stream stream -> {
                inFlight = stream;
                pull(stream.source());
                yield false;
            }
        };
    }

    /// Tells the client to go on with its content (RFC 9110 §15.2.1).
    void writeContinue() {
        gather(CONTINUE, 0, CONTINUE.length);
        flush();
    }

    private void gatherHead(ResponseHead head, Http1Exchange exchange, int contentHint) {
        byte[] encoded = head.http1();
        room(encoded.length + LINES_BYTES + contentHint);
        gather(encoded, 0, encoded.length);
        byte[] date = loop.dateLine();
        gather(date, 0, date.length);
        if (secure) {
            byte[] strict = loop.strictTransportLine();
            gather(strict, 0, strict.length);
        }
        if (chunking) {
            gather(CHUNKED, 0, CHUNKED.length);
        }
        if (exchange.closing) {
            gather(CONNECTION_CLOSE, 0, CONNECTION_CLOSE.length);
        } else if (exchange.head().version() == HttpVersion.HTTP_1_0) {
            gather(CONNECTION_KEEP_ALIVE, 0, CONNECTION_KEEP_ALIVE.length);
        }
        gather(CRLF, 0, CRLF.length);
    }

    private void room(int bytes) {
        if (gathered != null && gathered.readableBytes() + bytes > GATHERED_BYTES_MAX) {
            pass();
        }
        if (gathered == null) {
            gathered = loop.buffers().output(ctx.alloc(), bytes);
        }
    }

    private void gather(byte[] bytes, int from, int length) {
        if (gathered == null) {
            gathered = loop.buffers().output(ctx.alloc(), length);
        }
        gathered.writeBytes(bytes, from, length);
    }

    /// Hands the gathered bytes to the channel without flushing.
    private void pass() {
        ByteBuf bytes = gathered;
        if (bytes != null) {
            gathered = null;
            unflushed = true;
            var _ = ctx.write(bytes, ctx.voidPromise());
        }
    }

    private boolean writeContent(ResponsePlan.Bytes plan) {
        byte[] bytes = plan.content();
        if (secure && bytes.length > SECURED_BYTES) {
            inFlight = plan;
            content = bytes;
            beginParts(0, bytes.length);
            return false;
        }
        contentBytes = bytes.length;
        if (bytes.length <= COPIED_BYTES_MAX) {
            gather(bytes, 0, bytes.length);
        } else {
            pass();
            unflushed = true;
            var _ = ctx.write(Unpooled.wrappedBuffer(bytes), ctx.voidPromise());
        }
        return true;
    }

    private boolean writeRange(ResponsePlan.FileRange range) {
        if (range.length() == 0) {
            release(range);
            return true;
        }
        inFlight = range;
        beginFile(range.file(), range.offset(), range.length());
        return false;
    }

    private void beginFile(AcquiredFile from, long offset, long length) {
        file = from;
        ahead.begin(offset);
        beginParts(offset, length);
    }

    private void beginParts(long offset, long length) {
        position = offset;
        end = offset + length;
        writePart();
    }

    /// Sends the next part of the file, or of content in memory that is encrypted part by part.
    private void writePart() {
        pass();
        AcquiredFile from = file;
        long available = from == null || position == end ? end - position : ahead.available(from, position, end);
        if (available == 0 && position < end) {
            flush();
            return;
        }
        if (from != null && !secure) {
            writeRegion(from, available);
            return;
        }
        int count = (int) Math.min(SECURED_BYTES, available);
        ByteBuf part = from == null
                ? Unpooled.wrappedBuffer(Objects.requireNonNull(content), (int) position, count)
                : filePart(from, count);
        if (part != null) {
            position += count;
            turnBytes += count;
            afterPart(ctx.write(part), count, position == end);
        }
    }

    /// The region asks whether the file is still the one whose head went out.
    private void writeRegion(AcquiredFile from, long count) {
        region = new OpenFileRegion(from, position, count);
        position += count;
        afterPart(ctx.write(region), count, position == end);
    }

    /// Null when the plan was broken off, because the file cannot be read or is not what it was.
    private @Nullable ByteBuf filePart(AcquiredFile from, int count) {
        ByteBuf part = null;
        Reason failure = Reason.SHORT_READ;
        try {
            part = FileCopy.read(ctx.alloc(), from, position, count);
        } catch (IOException e) {
            failure = Reason.STORAGE_FAILURE;
        }
        if (part == null) {
            breakOff(failure);
        }
        return part;
    }

    /// Flushes, and goes on when the part is out. A failed write closes the channel, which cancels this writer.
    private void afterPart(ChannelFuture written, long bytes, boolean last) {
        unflushed = false;
        ctx.flush();
        listener.flushed();
        written.addListener(done -> partDone(done.cause(), bytes, last));
    }

    /// @param failure null where the part is out
    private void partDone(@Nullable Throwable failure, long bytes, boolean last) {
        if (inFlight == null) {
            return;
        }
        try {
            if (failure == null) {
                region = null;
                contentBytes += bytes;
                partsWritten++;
                goOn(last);
            } else if (failure instanceof OutOfMemoryError) {
                breakOff(Reason.MEMORY_CAPACITY);
            } else {
                AcquiredFile current = file;
                breakOff(current == null || current.unchanged() ? null : Reason.SHORT_READ);
            }
        } catch (RuntimeException e) {
            listener.broken(e);
        } catch (OutOfMemoryError e) {
            listener.outOfMemory();
        }
    }

    private void goOn(boolean last) {
        if (last) {
            endParts();
        } else if (turnBytes < TURN_BYTES) {
            writePart();
        } else {
            turnBytes = 0;
            // Not `execute`, which may come before anything that the event loop reads.
            var _ = ctx.executor().schedule(nextPart, 0, TimeUnit.NANOSECONDS);
        }
    }

    private void nextPart() {
        if (inFlight == null) {
            return;
        }
        try {
            writePart();
        } catch (RuntimeException e) {
            listener.broken(e);
        } catch (OutOfMemoryError e) {
            listener.outOfMemory();
        }
    }

    private void endParts() {
        file = null;
        content = null;
        if (inFlight instanceof ResponsePlan.Stream stream) {
            pull(stream.source());
        } else {
            end();
        }
    }

    private void pull(BodySource source) {
        switch (source.next()) {
            case null -> {
                if (contentBytes < promisedBytes) {
                    throw new IllegalStateException(
                            "content: found " + contentBytes + " bytes; the head says " + promisedBytes);
                }
                endChunks();
                end();
            }
            case BodySource.Part.Chunk chunk -> {
                requirePromised(chunk.bytes().length);
                writeChunk(chunk.bytes());
            }
            case BodySource.Part.FilePart part -> {
                if (chunking) {
                    throw new IllegalStateException("a part of a file in content of unknown length");
                }
                requirePromised(part.length());
                beginFile(part.file(), part.offset(), part.length());
            }
        }
    }

    /// More than the head promised would be read by the peer as the next answer.
    private void requirePromised(long more) {
        if (promisedBytes != ResponseHead.LENGTH_UNKNOWN && more > promisedBytes - contentBytes) {
            throw new IllegalStateException(
                    "content: found " + (contentBytes + more) + " bytes and more; the head says " + promisedBytes);
        }
    }

    /// An empty chunk would end the content: it is left out, and only the turn is taken.
    private void writeChunk(byte[] bytes) {
        boolean framed = chunking && bytes.length > 0;
        if (framed) {
            byte[] size = ascii(Integer.toHexString(bytes.length) + "\r\n");
            gather(size, 0, size.length);
        }
        pass();
        ChannelFuture written = ctx.write(Unpooled.wrappedBuffer(bytes));
        if (framed) {
            gather(CRLF, 0, CRLF.length);
        }
        afterPart(written, bytes.length, true);
    }

    private void endChunks() {
        if (chunking) {
            gather(LAST_CHUNK, 0, LAST_CHUNK.length);
        }
    }

    private void end() {
        release();
        listener.planWritten();
    }

    private void breakOff(@Nullable Reason reason) {
        if (inFlight != null) {
            release();
            listener.planBroken(reason);
        }
    }

    private void release() {
        ResponsePlan plan = inFlight;
        inFlight = null;
        file = null;
        content = null;
        ahead.end();
        if (plan != null) {
            release(plan);
        }
    }

    private void release(ResponsePlan plan) {
        try {
            plan.release();
        } catch (RuntimeException e) {
            listener.planNotReleased(e);
        }
    }

    /// Drops what is gathered and releases the plan in flight: the channel is gone.
    void cancel() {
        if (gathered != null) {
            gathered.release();
            gathered = null;
        }
        release();
    }

    /// Whether another answer may be made now: at most `DEPTH_MAX` are on their way. When not, `resume` runs once they are out.
    boolean roomForAnswer(Runnable resume) {
        if (roomAwaited) {
            return false;
        }
        if (answersQueued < DEPTH_MAX && ctx.channel().isWritable()) {
            return true;
        }
        flush();
        answersQueued = 0;
        if (outboundEmpty()) {
            return true;
        }
        roomAwaited = true;
        afterOutput(() -> {
            roomAwaited = false;
            resume.run();
        });
        return false;
    }

    /// Runs this when everything gathered so far has gone to the peer's side of the socket.
    void afterOutput(Runnable then) {
        if (secure) {
            flush(); // through TLS: what is beneath waits for its turn there
        } else {
            pass();
        }
        beneath.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> then.run());
    }

    /// Sends what is gathered.
    void flush() {
        pass();
        if (unflushed) {
            unflushed = false;
            ctx.flush();
            listener.flushed();
        }
    }

    boolean outboundEmpty() {
        return outbound.isEmpty();
    }

    /// A number that changes whenever the peer has taken anything.
    long progressMark() {
        return outbound.mark() + 8191 * partsWritten;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
