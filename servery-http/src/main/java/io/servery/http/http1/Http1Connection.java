package io.servery.http.http1;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.EventExecutor;
import io.servery.core.metric.MetricShard;
import io.servery.core.metric.Phase;
import io.servery.core.metric.Transport;
import io.servery.core.metric.WorkClass;
import io.servery.core.reason.Reason;
import io.servery.http.exchange.BodyReceiver;
import io.servery.http.exchange.HttpService;
import io.servery.http.exchange.Refusal;
import io.servery.http.exchange.ResponsePlan;
import io.servery.http.exchange.Stage;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One HTTP/1 connection: requests are taken from its bytes one after another and answered in their order.
///
///     IDLE ──first byte──► HEAD ──complete──► BUSY ──answer out, content taken──► IDLE
///       └───────┬────────────┴──────────────────┴──── nothing more is read as a request ────┐
///               ▼                                                                          ▼
///            CLOSED ◄────────────────── end of the peer's bytes, or time ◄──────────── LINGERING
///
/// Closing always lingers (RFC 9112 §9.6): the output is shut, what still comes is read and dropped, so that the peer
/// reads the answer rather than a reset.
///
/// Longer than 500 lines because the transitions of one state machine are easier to check side by side.
///
/// *Owner:* its event loop. *Invariant:* in `BUSY` and `HEAD` there is one exchange, else none; an exchange that was
/// started is completed or abandoned exactly once in the metrics.
public final class Http1Connection extends ChannelInboundHandlerAdapter implements PlanWriter.Listener {
    /// Unread bytes past this stop the reading: the next requests of a pipeline, or content that nobody asked for yet.
    private static final int PENDING_BYTES_MAX = 64 * 1024;
    private static final long BODY_TICK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long BODY_RATE_GRACE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(5);
    /// How long an idle connection is kept in a drain for a request that may be on its way.
    private static final long DRAIN_GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    /// The other end of a Unix socket that was not bound.
    private static final SocketAddress NO_ADDRESS = new DomainSocketAddress("");

    private enum State {
        IDLE,
        HEAD,
        BUSY,
        LINGERING,
        CLOSED
    }

    private final HttpService service;
    private final Http1Limits limits;
    private final LoopResources loop;

    private ChannelHandlerContext ctx;
    private PlanWriter writer;
    private WriteWatch writeWatch;
    private Deadline deadline;
    private State state = State.IDLE;
    private @Nullable ByteBuf pending;
    private @Nullable Http1Exchange exchange;
    private int requests;
    private boolean processing;
    private boolean reading;
    private boolean inputEnded;
    private boolean draining;
    private boolean open;
    private SocketAddress peer = NO_ADDRESS;

    /// @param loop what the connections of this event loop share
    @SuppressWarnings("NullAway.Init") // ctx, writer and deadline are there from handlerAdded on, before any event
    public Http1Connection(HttpService service, Http1Limits limits, LoopResources loop) {
        this.service = service;
        this.limits = limits;
        this.loop = loop;
    }

    HttpService service() {
        return service;
    }

    SocketAddress peer() {
        return peer;
    }

    EventExecutor executor() {
        return ctx.executor();
    }

    private MetricShard shard() {
        return loop.shard();
    }

    // ---- events of the channel

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
        writer = new PlanWriter(context, loop, this);
        writeWatch = new WriteWatch(context.executor(), writer, limits.writeNanos(), this::writeStuck);
        deadline = new Deadline(context.executor(), this::deadlineExpired);
        if (context.channel().isActive()) {
            opened();
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        opened();
    }

    private void opened() {
        if (open) {
            return;
        }
        open = true;
        SocketAddress remote = ctx.channel().remoteAddress();
        peer = remote == null ? NO_ADDRESS : remote;
        loop.opened(this);
        shard().connectionOpened(Transport.H1);
        deadline.arm(Deadline.Wait.HEAD, System.nanoTime() + limits.headNanos());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (state == State.LINGERING || state == State.CLOSED) {
            bytes.release();
            return;
        }
        reading = true;
        ByteBuf before = pending;
        if (before == null) {
            pending = bytes;
        } else {
            ByteBuf joined = context.alloc().ioBuffer(before.readableBytes() + bytes.readableBytes());
            pending = joined.writeBytes(before).writeBytes(bytes);
            before.release();
            bytes.release();
        }
        process();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        reading = false;
        flush();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (!(event instanceof ChannelInputShutdownEvent)) {
            return;
        }
        inputEnded = true;
        switch (state) {
            case IDLE, HEAD, BUSY -> process();
            case LINGERING -> close();
            case CLOSED -> {
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (state != State.CLOSED) {
            close();
        }
        if (open) {
            open = false;
            loop.closed(this);
            shard().connectionClosed(Transport.H1);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof IOException)) {
            service.bugs().accept(cause);
        }
        close();
    }

    // ---- requests in

    /// Takes as many steps as the bytes and the output allow.
    private void process() {
        if (processing) {
            return;
        }
        processing = true;
        try {
            boolean more = true;
            while (more) {
                more = switch (state) {
                    case IDLE -> beginRequest();
                    case HEAD -> takeHead();
                    case BUSY -> takeContent();
                    case LINGERING, CLOSED -> false;
                };
            }
        } finally {
            processing = false;
            settlePending();
        }
        if (!reading) {
            flush();
        }
    }

    /// Lets go of used bytes; stops reading while too many wait, starts again when they do not.
    private void settlePending() {
        ByteBuf bytes = pending;
        if (bytes != null && !bytes.isReadable()) {
            bytes.release();
            pending = null;
        }
        boolean full = pending != null && pending.readableBytes() > PENDING_BYTES_MAX;
        if (ctx.channel().config().isAutoRead() == full && state != State.CLOSED) {
            ctx.channel().config().setAutoRead(!full);
        }
    }

    private boolean beginRequest() {
        if (pending == null || !pending.isReadable()) {
            if (inputEnded) {
                linger();
            }
            return false;
        }
        if (!writer.roomForAnswer(this::process)) {
            return false;
        }
        exchange = loop.takeExchange(this);
        state = State.HEAD;
        return true;
    }

    private boolean takeHead() {
        Http1Exchange current = current();
        ByteBuf bytes = pending;
        if (bytes == null || !bytes.isReadable()) {
            return waitForHead(current);
        }
        return switch (current.decoder.decode(bytes, limits)) {
            case INCOMPLETE -> waitForHead(current);
            case REFUSED -> {
                start(current);
                refuse(current, current.decoder.refusal(), null);
                yield true;
            }
            case COMPLETE -> {
                dispatch(current);
                yield true;
            }
        };
    }

    private boolean waitForHead(Http1Exchange current) {
        if (inputEnded) {
            if (current.decoder.untouched()) {
                dropUntouched();
            } else {
                start(current);
                refuse(current, Refusal.INCOMPLETE_REQUEST, null);
            }
            return true;
        }
        if (deadline.waiting() != Deadline.Wait.HEAD) {
            deadline.arm(Deadline.Wait.HEAD, System.nanoTime() + limits.headNanos());
        }
        return false;
    }

    /// Only an empty line has come: there is no request.
    private void dropUntouched() {
        releaseExchange();
        linger();
    }

    private void start(Http1Exchange current) {
        state = State.BUSY;
        deadline.disarm();
        requests++;
        current.started = true;
        current.startNanos = System.nanoTime();
        shard().requestStarted(Transport.H1);
    }

    private void dispatch(Http1Exchange current) {
        start(current);
        Refusal refusal = current.judge(limits);
        if (refusal == null) {
            refusal = judgeStages(current);
        }
        if (refusal != null) {
            refuse(current, refusal, null);
            return;
        }
        try {
            service.handler().handle(current);
        } catch (RuntimeException e) {
            failed(current, e);
        }
    }

    private @Nullable Refusal judgeStages(Http1Exchange current) {
        for (int i = 0; i < service.stages().size(); i++) {
            Stage stage = service.stages().get(i);
            Refusal refusal = stage.judge(current);
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    private void failed(Http1Exchange current, RuntimeException bug) {
        service.bugs().accept(bug);
        if (current.responded) {
            close();
        } else {
            refuse(current, Refusal.INTERNAL_ERROR, null);
        }
    }

    // ---- content of the request

    void receive(Http1Exchange current, BodyReceiver receiver) {
        if (current.receiver != null || current.responded) {
            throw new IllegalStateException("the content was asked for twice, or after the answer");
        }
        current.receiver = receiver;
        if (current.body.done()) {
            receiver.completed();
            return;
        }
        if (current.expectsContinue) {
            current.expectsContinue = false;
            writer.writeContinue();
        }
        beginContent(current);
        process();
    }

    private void beginContent(Http1Exchange current) {
        long now = System.nanoTime();
        current.bodyStartNanos = now;
        current.bodyProgressNanos = now;
        deadline.arm(Deadline.Wait.BODY, now + Math.min(BODY_TICK_NANOS, limits.bodyNanos()));
    }

    /// Takes content for the receiver, or drops it once the answer is out; an exchange whose both halves are done ends here.
    private boolean takeContent() {
        Http1Exchange current = current();
        if (current.body.done()) {
            if (!current.completed) {
                return false;
            }
            endExchange();
            return true;
        }
        boolean dropping = current.completed;
        if (current.receiver == null && !dropping) {
            return false;
        }
        ByteBuf bytes = pending;
        if (bytes == null || !bytes.isReadable()) {
            if (inputEnded) {
                contentRefused(current, Refusal.INCOMPLETE_REQUEST);
            }
            return inputEnded;
        }
        return decodeContent(current, bytes, dropping);
    }

    private boolean decodeContent(Http1Exchange current, ByteBuf bytes, boolean dropping) {
        BodyReceiver receiver = current.responded ? null : current.receiver;
        current.bodyProgressNanos = System.nanoTime();
        switch (current.body.decode(bytes, receiver)) {
            case REFUSED -> contentRefused(current, current.body.refusal());
            case INCOMPLETE -> {
                if (dropping && current.body.received() > limits.keepaliveDrainBytesMax()) {
                    linger();
                    return true;
                }
                return false;
            }
            case COMPLETE -> {
                deadline.disarm();
                if (receiver != null) {
                    receiver.completed();
                }
            }
        }
        return true;
    }

    private void contentRefused(Http1Exchange current, Refusal refusal) {
        deadline.disarm();
        if (current.completed) {
            linger();
        } else if (current.responded) {
            current.closing = true; // the answer is on its way; its end closes the connection
            current.receiver = null;
            current.keepAlive = false;
        } else {
            abort(current);
            refuse(current, refusal, null);
        }
    }

    private static void abort(Http1Exchange current) {
        BodyReceiver receiver = current.receiver;
        current.receiver = null;
        if (receiver != null) {
            receiver.aborted();
        }
    }

    // ---- answers out

    void refuse(Http1Exchange current, Refusal refusal, @Nullable ResponsePlan plan) {
        shard().rejected(refusal.reason(), Transport.H1);
        current.reason = refusal.reason();
        if (refusal.fate() == Refusal.Fate.CLOSE) {
            current.keepAlive = false;
        }
        answer(current, plan == null ? service.refusalPages().plan(refusal) : plan);
    }

    void answer(Http1Exchange current, ResponsePlan plan) {
        if (current != exchange || current.responded) {
            plan.release();
            throw new IllegalStateException("an exchange was answered twice");
        }
        current.responded = true;
        current.status = plan.head().status();
        current.closing = closesAfter(current);
        if (writer.write(plan, current)) {
            planWritten();
        }
    }

    /// Whether nothing after this answer is read as a request: its own rules, the limit of requests, a drain, or content
    /// that is not worth reading to its end.
    private boolean closesAfter(Http1Exchange current) {
        if (!current.keepAlive || draining || limits.requestsMax() > 0 && requests >= limits.requestsMax()) {
            return true;
        }
        return current.expectsContinue || current.body.remaining() > limits.keepaliveDrainBytesMax();
    }

    @Override
    public void planWritten() {
        Http1Exchange current = current();
        complete(current, current.reason);
        if (current.closing) {
            linger();
        } else if (!current.body.done()) {
            beginContent(current);
        }
        process();
    }

    @Override
    public void planBroken(@Nullable Reason reason) {
        Http1Exchange current = current();
        if (reason != null) {
            shard().rejected(reason, Transport.H1);
        }
        complete(current, reason);
        close();
    }

    private void complete(Http1Exchange current, @Nullable Reason reason) {
        current.completed = true;
        long now = System.nanoTime();
        long contentBytes = writer.contentBytes();
        shard().requestCompleted(Transport.H1, current.methodClass(), current.status, current.workClass(),
                now - current.startNanos, current.head().length() + current.body.received(), contentBytes);
        service.completions().completed(current, current.status, contentBytes, now - current.startNanos, reason);
    }

    private void endExchange() {
        releaseExchange();
        state = State.IDLE;
        long now = System.nanoTime();
        if (draining) {
            deadline.arm(Deadline.Wait.DRAIN, now + DRAIN_GRACE_NANOS);
        } else {
            deadline.arm(Deadline.Wait.KEEPALIVE, now + limits.keepaliveNanos());
        }
    }

    private void releaseExchange() {
        Http1Exchange current = exchange;
        exchange = null;
        if (current != null) {
            loop.giveBack(current);
        }
    }

    private Http1Exchange current() {
        Http1Exchange current = exchange;
        if (current == null) {
            throw new IllegalStateException("there is no exchange in state " + state);
        }
        return current;
    }

    private void flush() {
        writer.flush();
    }

    @Override
    public void flushed() {
        writeWatch.look();
    }

    // ---- deadlines

    private void deadlineExpired(Deadline.Wait wait) {
        switch (wait) {
            case HEAD -> headExpired();
            case BODY -> bodyTick(current());
            case KEEPALIVE -> {
                shard().timedOut(Phase.KEEPALIVE, Transport.H1);
                linger();
            }
            case DRAIN -> linger();
            case LINGER -> close();
            case NOTHING -> {
            }
        }
        flushIfOpen();
    }

    private void flushIfOpen() {
        if (state != State.CLOSED) {
            flush();
        }
    }

    /// A peer that has begun a request is told why; one that never spoke is just let go.
    private void headExpired() {
        shard().timedOut(Phase.HEAD, Transport.H1);
        Http1Exchange current = exchange;
        if (current == null || current.decoder.untouched()) {
            releaseExchange();
            linger();
        } else {
            start(current);
            refuse(current, Refusal.HEAD_TIMEOUT, null);
        }
    }

    private void bodyTick(Http1Exchange current) {
        long now = System.nanoTime();
        long silence = now - current.bodyProgressNanos;
        if (silence < limits.bodyNanos() && !tooSlow(current, now)) {
            deadline.arm(Deadline.Wait.BODY, now + Math.min(BODY_TICK_NANOS, limits.bodyNanos() - silence));
            return;
        }
        shard().timedOut(Phase.BODY, Transport.H1);
        contentRefused(current, Refusal.BODY_TIMEOUT);
    }

    private boolean tooSlow(Http1Exchange current, long now) {
        long elapsed = now - current.bodyStartNanos;
        return elapsed > BODY_RATE_GRACE_NANOS
                && current.body.received() < elapsed / 1e9 * limits.bodyRateBytesPerSecond();
    }

    private void writeStuck() {
        shard().timedOut(Phase.WRITE, Transport.H1);
        closeFor(Reason.WRITE_TIMEOUT);
    }

    // ---- the end

    /// Stops taking new requests: what is in work is answered, an idle connection is closed after a moment.
    public void drain() {
        draining = true;
        if (state == State.IDLE) {
            deadline.arm(Deadline.Wait.DRAIN, System.nanoTime() + DRAIN_GRACE_NANOS);
        }
    }

    /// Ends the connection now; an exchange that this cuts short is counted by its kind.
    ///
    /// @return the kind of the work that was cut short, or null when there was none
    public @Nullable WorkClass force() {
        Http1Exchange current = exchange;
        WorkClass cut = null;
        if (current != null && current.started && !current.completed) {
            cut = current.workClass();
            shard().drainForced(cut, Reason.DEADLINE_HTTP1, 1);
        }
        closeFor(Reason.DEADLINE_HTTP1);
        return cut;
    }

    /// Half-closes after what is gathered, and reads on until the peer ends or time is up.
    private void linger() {
        if (state == State.LINGERING || state == State.CLOSED) {
            return;
        }
        state = State.LINGERING;
        releaseExchange();
        ByteBuf unread = pending;
        pending = null;
        if (unread != null) {
            unread.release();
        }
        if (!ctx.channel().config().isAutoRead()) {
            ctx.channel().config().setAutoRead(true);
        }
        writer.afterOutput(this::halfClose);
        writeWatch.look();
    }

    private void halfClose() {
        if (state != State.LINGERING) {
            return;
        }
        if (inputEnded) {
            close();
            return;
        }
        deadline.arm(Deadline.Wait.LINGER, System.nanoTime() + LINGER_NANOS);
        ((DuplexChannel) ctx.channel()).shutdownOutput().addListener(done -> {
            if (!done.isSuccess()) {
                close();
            }
        });
    }

    private void closeFor(Reason reason) {
        if (exchange != null) {
            exchange.reason = reason;
        }
        close();
    }

    private void close() {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        deadline.cancel();
        ByteBuf unread = pending;
        pending = null;
        if (unread != null) {
            unread.release();
        }
        cancelExchange();
        writer.cancel();
        var _ = ctx.close();
    }

    /// The connection is gone under an exchange. It is not reused: an answer may still be on its way to it.
    private void cancelExchange() {
        Http1Exchange current = exchange;
        exchange = null;
        if (current == null || !current.started || current.completed) {
            return;
        }
        current.cancelled = true;
        abort(current);
        if (current.responded) {
            complete(current, current.reason);
        } else {
            shard().requestAbandoned(Transport.H1);
        }
    }
}
