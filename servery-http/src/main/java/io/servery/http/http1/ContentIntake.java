package io.servery.http.http1;

import io.netty.buffer.ByteBuf;
import io.servery.core.metric.Phase;
import io.servery.core.metric.Transport;
import io.servery.http.exchange.BodyReceiver;
import io.servery.http.exchange.Refusal;
import java.util.concurrent.TimeUnit;

/// The content of the request in work: given to its receiver until the exchange is answered, dropped after that; judged
/// by the clock all the while.
///
/// *Owner:* the event loop; one a connection. *Invariant:* the decoder has moved on before a receiver is called, so a
/// receiver may answer, or ask the channel to close, from within its call.
final class ContentIntake {
    private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long RATE_GRACE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final double NANOS_PER_SECOND = 1e9;

    private final Http1Connection connection;
    private final Http1Limits limits;
    private final Deadline deadline;
    private long beganNanos;
    private long beganBytes;
    private long progressNanos;

    ContentIntake(Http1Connection connection, Http1Limits limits, Deadline deadline) {
        this.connection = connection;
        this.limits = limits;
        this.deadline = deadline;
    }

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
            connection.writeContinue();
        }
        begin(current);
        connection.process();
    }

    /// Starts the clock: from now on content is taken, for the receiver or to be dropped.
    void begin(Http1Exchange current) {
        long now = connection.now();
        beganNanos = now;
        beganBytes = current.body.received();
        progressNanos = now;
        deadline.arm(Deadline.Wait.BODY, now + Math.min(TICK_NANOS, limits.bodyNanos()));
    }

    /// Takes the next piece of content, if anybody wants it or it is to be dropped.
    ///
    /// @return whether to look at the exchange again
    boolean take(Http1Exchange current, UnreadBytes unread, boolean inputEnded) {
        if (current.receiver == null && !current.responded) {
            return false;
        }
        ByteBuf bytes = unread.readable();
        if (bytes == null) {
            if (inputEnded) {
                refused(current, Refusal.INCOMPLETE_REQUEST);
            }
            return inputEnded;
        }
        progressNanos = connection.now();
        switch (current.body.decode(bytes)) {
            case INCOMPLETE -> {
                // The input is used up: the next look finds out whether more can come.
            }
            case REFUSED -> refused(current, current.body.refusal());
            case DATA -> pass(current, bytes);
            case COMPLETE -> ended(current);
        }
        return true;
    }

    private void pass(Http1Exchange current, ByteBuf bytes) {
        int length = current.body.dataBytes();
        BodyReceiver receiver = current.responded ? null : current.receiver;
        if (receiver == null) {
            bytes.skipBytes(length);
            if (current.body.received() - beganBytes > limits.keepaliveDrainBytesMax()) {
                current.closing = true;
            }
        } else {
            passTo(receiver, bytes, length);
        }
        if (current.body.done()) {
            ended(current);
        }
    }

    /// The receiver may close the connection, which lets go of the unread bytes: they are kept until it returns.
    private static void passTo(BodyReceiver receiver, ByteBuf bytes, int length) {
        bytes.retain();
        try {
            receiver.data(bytes.readSlice(length));
        } finally {
            bytes.release();
        }
    }

    private void ended(Http1Exchange current) {
        deadline.disarm();
        BodyReceiver receiver = current.receiver;
        if (receiver != null && !current.responded) {
            receiver.completed();
        }
    }

    /// An answer that is on its way already is finished; otherwise the handler has lost its exchange to this refusal.
    private void refused(Http1Exchange current, Refusal refusal) {
        deadline.disarm();
        if (current.responded) {
            current.closing = true;
        } else {
            connection.answers().refuseForHandler(current, refusal);
        }
    }

    /// Looks, every second, whether content keeps coming and comes fast enough.
    void tick(Http1Exchange current) {
        long now = connection.now();
        long silence = now - progressNanos;
        if (silence < limits.bodyNanos() && !tooSlow(current, now)) {
            deadline.arm(Deadline.Wait.BODY, now + Math.min(TICK_NANOS, limits.bodyNanos() - silence));
            return;
        }
        connection.shard().timedOut(Phase.BODY, Transport.H1);
        refused(current, Refusal.BODY_TIMEOUT);
        connection.process();
    }

    private boolean tooSlow(Http1Exchange current, long now) {
        long elapsed = now - beganNanos;
        return elapsed > RATE_GRACE_NANOS && current.body.received() - beganBytes < elapsed / NANOS_PER_SECOND
                * limits.bodyRateBytesPerSecond();
    }
}
