package io.servery.http.http1;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.concurrent.EventExecutor;
import io.servery.core.metric.MetricShard;
import io.servery.core.metric.Phase;
import io.servery.core.metric.Transport;
import io.servery.core.metric.WorkClass;
import io.servery.core.reason.Reason;
import io.servery.http.exchange.BodyReceiver;
import io.servery.http.exchange.HttpService;
import io.servery.http.exchange.Refusal;
import io.servery.http.exchange.Stage;
import io.servery.http.tls.TlsConnection;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One HTTP/1 connection: requests are taken from its bytes one after another and answered in their order.
///
///     IDLE ──first byte──► HEAD ──complete──► BUSY ──answer out, content taken──► IDLE
///       └───────┬────────────┴──────────────────┴──── nothing more is read as a request ───┐
///               │                                                                          ▼
///               │             LINGERING ◄──all is with the peer's socket, output shut── FINISHING
///               ▼                 │                                                        │
///            CLOSED ◄─────────────┴──── end of the peer's bytes, its failure, or time ─────┘
///
/// Closing always lingers (RFC 9112 §9.6): the output is shut, what still comes is read and dropped, so that the peer
/// reads the answer rather than a reset. Over TLS the same is said by TLS first (§9.8); what ends otherwise is cut short.
///
/// Long because the transitions of one state machine are easier to check side by side.
///
/// *Owner:* its event loop. *Invariant:* in `BUSY` and `HEAD` there is one exchange, else none; it is let go by `process`
/// alone, never beneath a handler; one that was started is completed or abandoned exactly once in the metrics.
///
/// *Not here:* content (`ContentIntake`), bytes that wait (`UnreadBytes`), answers (`ExchangeAnswers`) and their bytes
/// (`PlanWriter`).
public final class Http1Connection extends ChannelInboundHandlerAdapter {
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(5);
    /// How long an idle connection is kept in a drain for a request that may be on its way.
    static final long DRAIN_GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    /// The other end of a Unix socket that was not bound.
    private static final SocketAddress NO_ADDRESS = new DomainSocketAddress("");

    private enum State {
        IDLE,
        HEAD,
        BUSY,
        FINISHING,
        LINGERING,
        CLOSED
    }

    private final HttpService service;
    private final Http1Limits limits;
    private final LoopResources loop;
    private final @Nullable TlsConnection tls;

    private final Runnable process = this::process;

    private ChannelHandlerContext ctx;
    private ChannelHandlerContext beneath;
    private UnreadBytes unread;
    private PlanWriter writer;
    private WriteWatch writeWatch;
    private ExchangeAnswers answers;
    private Deadline deadline;
    private ContentIntake intake;
    private State state = State.IDLE;
    private @Nullable Http1Exchange exchange;
    private int requests;
    private long lastReadingNanos;
    private boolean processing;
    private boolean reading;
    private boolean inputEnded;
    private boolean outputClosed;
    private boolean draining;
    private boolean open;
    private SocketAddress peer = NO_ADDRESS;

    /// A connection without TLS.
    ///
    /// @param loop what the connections of this event loop share
    public Http1Connection(HttpService service, Http1Limits limits, LoopResources loop) {
        this(service, limits, loop, null);
    }

    /// A connection whose handshake is done, to be added behind TLS.
    ///
    /// @param loop what the connections of this event loop share
    /// @param tls null for one without TLS
    @SuppressWarnings("NullAway.Init") // what needs the context is there from handlerAdded on, before any event
    public Http1Connection(HttpService service, Http1Limits limits, LoopResources loop, @Nullable TlsConnection tls) {
        this.service = service;
        this.limits = limits;
        this.loop = loop;
        this.tls = tls;
    }

    HttpService service() {
        return service;
    }

    SocketAddress peer() {
        return peer;
    }

    @Nullable
    TlsConnection tls() {
        return tls;
    }

    EventExecutor executor() {
        return ctx.executor();
    }

    LoopResources loop() {
        return loop;
    }

    MetricShard shard() {
        return loop.shard();
    }

    ExchangeAnswers answers() {
        return answers;
    }

    /// The exchange whose head is being read or that is in work; null between two.
    @Nullable
    Http1Exchange exchange() {
        return exchange;
    }

    /// Whether the next answer is the last: the server drains, or the limit of requests is reached.
    boolean lastAnswer() {
        return draining || limits.requestsMax() > 0 && requests >= limits.requestsMax();
    }

    /// Something was flushed, and the peer may not have taken it yet.
    void flushed() {
        writeWatch.look();
    }

    /// The time on the clock of the event loop's timers.
    long now() {
        lastReadingNanos = ctx.executor().ticker().nanoTime();
        return lastReadingNanos;
    }

    // ---- events of the channel

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
        beneath = tls == null ? context : tls.beneath(context.pipeline());
        unread = new UnreadBytes(context);
        answers = new ExchangeAnswers(this, service, limits);
        writer = new PlanWriter(context, beneath, loop, answers);
        writeWatch = new WriteWatch(context.executor(), writer, limits.writeNanos(), this::writeStuck);
        deadline = new Deadline(context.executor(), this::deadlineExpired);
        intake = new ContentIntake(this, limits, deadline);
        answers.join(writer, intake);
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
        deadline.arm(Deadline.Wait.HEAD, now() + limits.headNanos());
        if (loop.draining()) {
            drain();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        switch (state) {
            case IDLE, HEAD, BUSY -> {
                reading = true;
                unread.add(bytes);
                process();
            }
            case FINISHING, LINGERING, CLOSED -> bytes.release();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        reading = false;
        writer.flush();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            inputEnds();
        } else if (event instanceof SslCloseCompletionEvent end && end.isSuccess()) {
            tlsEnds();
        }
    }

    /// The peer has said that it sends nothing more (close_notify). BoringSSL's engine answers that with its own at once, so
    /// nothing more can be encrypted: what is with the socket still goes out, an exchange in work has nobody to answer.
    private void tlsEnds() {
        if (outputClosed) {
            return; // after our own end the engine takes mere content for the end
        }
        outputClosed = true;
        unread.end(); // RFC 8446 §6.1: whatever follows is ignored
        inputEnds();
        if (state == State.BUSY) {
            close();
        }
    }

    private void inputEnds() {
        inputEnded = true;
        switch (state) {
            case IDLE, HEAD, BUSY -> process();
            case LINGERING -> close();
            case FINISHING, CLOSED -> {
                // FINISHING: the answer is still on its way; a peer that has only ended its side will read it.
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
        if (cause instanceof OutOfMemoryError) {
            outOfMemory();
            return;
        }
        if (!ofThePeer(cause)) {
            service.bugs().accept(cause);
        }
        close();
    }

    /// Whether this is a failure of the connection: of the socket, or of TLS.
    private static boolean ofThePeer(Throwable cause) {
        return cause instanceof IOException
                || cause instanceof DecoderException && cause.getCause() instanceof IOException;
    }

    // ---- requests in

    /// Takes as many steps as the bytes and the output allow. A call from within a step does nothing: the loop goes on.
    void process() {
        if (processing) {
            return;
        }
        processing = true;
        now();
        try {
            boolean more = true;
            while (more) {
                more = switch (state) {
                    case IDLE -> beginRequest();
                    case HEAD -> takeHead();
                    case BUSY -> continueExchange();
                    case FINISHING, LINGERING, CLOSED -> false;
                };
            }
        } catch (RuntimeException e) {
            answers.broken(e);
        } catch (OutOfMemoryError e) {
            outOfMemory();
        } finally {
            processing = false;
        }
        switch (state) {
            case IDLE, HEAD, BUSY -> settle();
            case FINISHING, LINGERING, CLOSED -> {
                // Everything gathered was handed on or dropped when this state began.
            }
        }
    }

    private void settle() {
        try {
            unread.settle();
            if (!reading) {
                writer.flush();
            }
        } catch (OutOfMemoryError e) {
            outOfMemory();
        }
    }

    private boolean beginRequest() {
        if (unread.readable() == null) {
            if (inputEnded) {
                finish();
            }
            return false;
        }
        if (!writer.roomForAnswer(process)) {
            return false;
        }
        exchange = loop.takeExchange(this);
        state = State.HEAD;
        return true;
    }

    private boolean takeHead() {
        Http1Exchange current = current();
        ByteBuf bytes = unread.readable();
        if (bytes == null) {
            return waitForHead(current);
        }
        return switch (current.decoder.decode(bytes, limits)) {
            case INCOMPLETE -> waitForHead(current);
            case REFUSED -> {
                start(current);
                answers.refuse(current, current.decoder.refusal(), null);
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
                finish(); // only an empty line has come: there is no request
            } else {
                start(current);
                answers.refuse(current, Refusal.INCOMPLETE_REQUEST, null);
            }
            return true;
        }
        if (deadline.waiting() != Deadline.Wait.HEAD) {
            deadline.arm(Deadline.Wait.HEAD, now() + limits.headNanos());
        }
        return false;
    }

    private void start(Http1Exchange current) {
        state = State.BUSY;
        deadline.disarm();
        requests++;
        current.started = true;
        current.startNanos = lastReadingNanos;
        shard().requestStarted(Transport.H1);
    }

    private void dispatch(Http1Exchange current) {
        start(current);
        try {
            Refusal refusal = current.judge(limits);
            if (refusal == null) {
                refusal = judgeStages(current);
            }
            if (refusal != null) {
                answers.refuse(current, refusal, null);
                return;
            }
            service.handler().handle(current);
        } catch (RuntimeException e) {
            failed(current, e);
        }
        current.kept |= !current.responded;
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

    /// A stage or the handler threw. An answer that it gave before is left to its end.
    private void failed(Http1Exchange current, RuntimeException bug) {
        service.bugs().accept(bug);
        current.kept = true;
        if (current.responded) {
            current.closing = true;
        } else {
            answers.refuseForHandler(current, Refusal.INTERNAL_ERROR);
        }
    }

    /// Goes on with the exchange: its content, or its end when both halves are done.
    private boolean continueExchange() {
        Http1Exchange current = current();
        if (current.completed && current.closing) {
            finish();
            return true;
        }
        if (current.completed && current.body.done()) {
            endExchange();
            return true;
        }
        return !current.body.done() && !current.closing && intake.take(current, unread, inputEnded);
    }

    void receive(Http1Exchange current, BodyReceiver receiver) {
        intake.receive(current, receiver);
    }

    void writeContinue() {
        writer.writeContinue();
    }

    // ---- the end of an exchange

    /// The time of the last reading will do for the next deadline: it is that of the answer's end, or of the content's.
    private void endExchange() {
        releaseExchange();
        state = State.IDLE;
        if (draining) {
            deadline.arm(Deadline.Wait.DRAIN, lastReadingNanos + DRAIN_GRACE_NANOS);
        } else {
            deadline.arm(Deadline.Wait.KEEPALIVE, lastReadingNanos + limits.keepaliveNanos());
        }
    }

    /// What a handler kept past its call, or lost to a refusal, may still be referred to: that is left to the collector.
    private void releaseExchange() {
        Http1Exchange current = exchange;
        exchange = null;
        if (current != null && !current.kept && !current.cancelled) {
            loop.giveBack(current);
        }
    }

    Http1Exchange current() {
        Http1Exchange current = exchange;
        if (current == null) {
            throw new IllegalStateException("there is no exchange in state " + state);
        }
        return current;
    }

    // ---- deadlines

    private void deadlineExpired(Deadline.Wait wait) {
        try {
            expired(wait);
        } catch (OutOfMemoryError e) {
            outOfMemory();
        }
    }

    private void expired(Deadline.Wait wait) {
        switch (wait) {
            case HEAD -> headExpired();
            case BODY -> intake.tick(current());
            case KEEPALIVE -> idleExpired(wait, limits.keepaliveNanos());
            case DRAIN -> idleExpired(wait, DRAIN_GRACE_NANOS);
            case LINGER -> close();
            case NOTHING -> {
            }
        }
    }

    /// A peer that has not taken its answers yet is not idle; how long it may take them is for `WriteWatch` to say.
    private void idleExpired(Deadline.Wait wait, long againNanos) {
        if (!writer.outboundEmpty()) {
            deadline.arm(wait, now() + againNanos);
            return;
        }
        if (wait == Deadline.Wait.KEEPALIVE) {
            shard().timedOut(Phase.KEEPALIVE, Transport.H1);
        }
        finish();
    }

    /// A peer that has begun a request is told why; one that never spoke is just let go.
    private void headExpired() {
        shard().timedOut(Phase.HEAD, Transport.H1);
        now();
        Http1Exchange current = exchange;
        if (current == null || current.decoder.untouched()) {
            finish();
        } else {
            start(current);
            answers.refuse(current, Refusal.HEAD_TIMEOUT, null);
        }
    }

    private void writeStuck() {
        shard().timedOut(Phase.WRITE, Transport.H1);
        closeFor(Reason.WRITE_TIMEOUT);
    }

    // ---- the end

    /// Stops taking new requests: what is in work is answered, an idle connection is closed after a moment.
    public void drain() {
        draining = true;
        if (state == State.IDLE && open) {
            deadline.arm(Deadline.Wait.DRAIN, now() + DRAIN_GRACE_NANOS);
        }
    }

    /// Ends the connection now; an exchange that this cuts short, or an answer that the peer has not taken, is counted
    /// by its kind.
    ///
    /// @return the kind of the work that was cut short, or null when there was none
    public @Nullable WorkClass force() {
        if (state == State.CLOSED) {
            return null;
        }
        Http1Exchange current = exchange;
        WorkClass cut = null;
        if (current != null && current.started && !current.completed) {
            cut = current.workClass();
        } else if (!writer.outboundEmpty()) {
            cut = answers.lastWorkClass();
        }
        if (cut != null) {
            shard().drainForced(cut, Reason.DEADLINE_HTTP1, 1);
        }
        closeFor(Reason.DEADLINE_HTTP1);
        return cut;
    }

    /// Reads nothing more as a request; half-closes once what is gathered has gone out.
    private void finish() {
        state = State.FINISHING;
        deadline.disarm();
        releaseExchange();
        unread.discard();
        unread.read(true);
        writer.afterOutput(this::halfClose);
        writeWatch.look();
    }

    /// TLS ends before the socket's half does (RFC 9112 §9.8).
    private void halfClose() {
        if (state != State.FINISHING) {
            return;
        }
        if (inputEnded && (tls == null || outputClosed)) {
            close();
            return;
        }
        state = State.LINGERING;
        deadline.arm(Deadline.Wait.LINGER, now() + LINGER_NANOS);
        if (tls == null) {
            shutOutput();
        } else {
            outputClosed = true;
            tls.end(ctx.pipeline()).addListener(_ -> shutOutput());
        }
    }

    private void shutOutput() {
        if (state != State.LINGERING) {
            return;
        }
        if (inputEnded) {
            close();
            return;
        }
        ((DuplexChannel) ctx.channel()).shutdownOutput().addListener(done -> {
            if (!done.isSuccess()) {
                close();
            }
        });
    }

    /// There is no memory for buffers: this connection gives back what it has, and others go on. An answer would need more.
    /// Not the heap's end, at which the JVM ends the process.
    void outOfMemory() {
        if (state != State.CLOSED) {
            shard().rejected(Reason.MEMORY_CAPACITY, Transport.H1);
            closeFor(Reason.MEMORY_CAPACITY);
        }
    }

    void closeFor(Reason reason) {
        if (exchange != null) {
            exchange.reason = reason;
        }
        close();
    }

    void close() {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        deadline.cancel();
        writeWatch.cancel();
        unread.discard();
        Http1Exchange current = exchange;
        exchange = null;
        boolean cut = current != null && current.started && !current.completed || !writer.outboundEmpty();
        if (current != null) {
            answers.cancel(current);
        }
        writer.cancel();
        if (tls != null && !cut && !outputClosed && ctx.channel().isActive()) {
            var _ = tls.end(ctx.pipeline());
        }
        // Beneath TLS: an answer that is cut short must not look whole (RFC 9112 §9.8), and a peer that takes nothing is not
        // waited for.
        var _ = beneath.close();
    }
}
