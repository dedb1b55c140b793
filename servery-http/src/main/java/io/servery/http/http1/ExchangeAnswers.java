package io.servery.http.http1;

import io.servery.core.metric.Transport;
import io.servery.core.metric.WorkClass;
import io.servery.core.reason.Reason;
import io.servery.http.exchange.BodyReceiver;
import io.servery.http.exchange.HttpService;
import io.servery.http.exchange.Refusal;
import io.servery.http.exchange.ResponsePlan;
import org.jspecify.annotations.Nullable;

/// The answers of one connection: each exchange gets one, from its handler or in place of it, and is counted once when it
/// is out, cut short, or was never given.
///
/// *Owner:* the event loop; one a connection. *Invariant:* an exchange that the connection answered for its handler is
/// `cancelled`: what the handler still gives is released unused.
final class ExchangeAnswers implements PlanWriter.Listener {
    private final Http1Connection connection;
    private final HttpService service;
    private final Http1Limits limits;
    private PlanWriter writer;
    private ContentIntake intake;
    private WorkClass lastWorkClass = WorkClass.STATIC_SMALL;

    @SuppressWarnings("NullAway.Init") // the writer and this know each other: join completes the pair
    ExchangeAnswers(Http1Connection connection, HttpService service, Http1Limits limits) {
        this.connection = connection;
        this.service = service;
        this.limits = limits;
    }

    void join(PlanWriter answerWriter, ContentIntake contentIntake) {
        writer = answerWriter;
        intake = contentIntake;
    }

    /// The kind of the work whose answer was given last.
    WorkClass lastWorkClass() {
        return lastWorkClass;
    }

    void refuse(Http1Exchange current, Refusal refusal, @Nullable ResponsePlan plan) {
        if (current == connection.exchange() && !current.responded) {
            connection.shard().rejected(refusal.reason(), Transport.H1);
            current.reason = refusal.reason();
            if (refusal.fate() == Refusal.Fate.CLOSE) {
                current.keepAlive = false;
            }
        }
        answer(current, plan == null ? service.refusalPages().plan(refusal) : plan);
    }

    /// Answers in place of the handler, which may still be at work on this exchange and answer late: that plan is
    /// released unused, and the exchange is not reused.
    void refuseForHandler(Http1Exchange current, Refusal refusal) {
        abandon(current);
        if (current == connection.exchange()) {
            refuse(current, refusal, null);
        }
    }

    private void abandon(Http1Exchange current) {
        current.cancelled = true;
        BodyReceiver receiver = current.receiver;
        current.receiver = null;
        if (receiver != null && !current.responded) {
            try {
                receiver.aborted();
            } catch (RuntimeException e) {
                service.bugs().accept(e);
            }
        }
    }

    void answer(Http1Exchange current, ResponsePlan plan) {
        if (current != connection.exchange() || current.responded) {
            plan.release();
            throw new IllegalStateException("an exchange was answered twice");
        }
        AnswerFraming.require(plan, current);
        current.responded = true;
        current.status = plan.head().status();
        current.closing = closesAfter(current, plan);
        boolean whole;
        try {
            whole = writer.write(plan, current);
        } catch (RuntimeException e) {
            broken(e);
            return;
        } catch (OutOfMemoryError e) {
            connection.outOfMemory();
            return;
        }
        if (current != connection.exchange()) {
            return; // a write failed at once, and closed the connection
        }
        if (whole) {
            planWritten();
        } else if (!current.completed) {
            dropContent(current);
            connection.process();
        }
    }

    /// Whether nothing after this answer is read as a request: its own rules, the limit of requests, a drain, an answer
    /// that only the end of the connection ends, or content that is not worth reading to its end.
    private boolean closesAfter(Http1Exchange current, ResponsePlan plan) {
        if (!current.keepAlive || connection.lastAnswer()) {
            return true;
        }
        return AnswerFraming.of(plan.head(), current) == AnswerFraming.CONNECTION || current.expectsContinue
                || current.body.remaining() > limits.keepaliveDrainBytesMax();
    }

    private void dropContent(Http1Exchange current) {
        if (!current.closing && !current.body.done()) {
            intake.begin(current);
        }
    }

    @Override
    public void planWritten() {
        Http1Exchange current = connection.current();
        complete(current, current.reason);
        dropContent(current);
        connection.process();
    }

    @Override
    public void planBroken(@Nullable Reason reason) {
        Http1Exchange current = connection.current();
        if (reason != null) {
            connection.shard().rejected(reason, Transport.H1);
        }
        complete(current, reason);
        connection.close();
    }

    /// Code threw that no code expected, where the answer cannot be saved.
    @Override
    public void broken(RuntimeException bug) {
        service.bugs().accept(bug);
        Http1Exchange current = connection.exchange();
        if (current != null && current.responded && !current.completed) {
            connection.shard().rejected(Reason.INTERNAL_ERROR, Transport.H1);
        }
        connection.closeFor(Reason.INTERNAL_ERROR);
    }

    @Override
    public void outOfMemory() {
        connection.outOfMemory();
    }

    @Override
    public void planNotReleased(RuntimeException bug) {
        service.bugs().accept(bug);
    }

    private void complete(Http1Exchange current, @Nullable Reason reason) {
        current.completed = true;
        lastWorkClass = current.workClass();
        long durationNanos = connection.now() - current.startNanos;
        long contentBytes = writer.contentBytes();
        connection.shard().requestCompleted(Transport.H1, current.methodClass(), current.status, current.workClass(),
                durationNanos, current.head().length() + current.body.received(), contentBytes);
        try {
            service.completions().completed(current, current.status, contentBytes, durationNanos, reason);
        } catch (RuntimeException e) {
            service.bugs().accept(e);
        }
    }

    @Override
    public void flushed() {
        connection.flushed();
    }

    /// The connection is gone under an exchange. It is not reused: an answer may still be on its way to it.
    void cancel(Http1Exchange current) {
        if (!current.started || current.completed) {
            return;
        }
        if (current.responded) {
            complete(current, current.reason);
        } else {
            connection.shard().requestAbandoned(Transport.H1);
        }
        abandon(current);
    }
}
