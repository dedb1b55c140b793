package io.servery.http.exchange;

import io.netty.util.concurrent.EventExecutor;
import io.servery.core.metric.Transport;
import io.servery.core.metric.WorkClass;
import io.servery.http.semantics.TargetPath;
import java.net.SocketAddress;
import java.util.List;

/// One request and its one answer, on the event loop of its connection.
///
/// *Owner:* the connection's event loop; only `deliver` may be called from elsewhere. *Invariant:* exactly one of `respond`,
/// `refuse` and `deliver` is called for an exchange that was handed to a handler; after it the handler forgets the exchange.
public abstract class Exchange {
    private WorkClass workClass = WorkClass.STATIC_SMALL;

    /// The request; its content is stable until the answer has been given.
    public abstract RequestHead head();

    /// The path of the target, decoded once and free of `..`; `/` for the asterisk form, which asks about the server as a
    /// whole, and for the authority form.
    public abstract TargetPath.Accepted path();

    public abstract Transport transport();

    /// Whether the connection is secured by TLS, and its certificate stands for the host of the request.
    public boolean secure() {
        return false;
    }

    /// The other end of the connection.
    public abstract SocketAddress peer();

    /// The event loop on which everything about this exchange happens.
    public abstract EventExecutor executor();

    /// The answers for refusals, as this service words them.
    public abstract RefusalPages refusalPages();

    /// Whether nobody waits for the answer any more: the connection is gone.
    public abstract boolean cancelled();

    /// Gives the answer. On the event loop, once. The plan is released when it is out or cut short.
    public abstract void respond(ResponsePlan plan);

    /// Refuses the request with the answer of that row.
    public final void refuse(Refusal refusal) {
        refuse(refusal, refusalPages().plan(refusal));
    }

    /// Refuses the request with more fields than the row has.
    public final void refuse(Refusal refusal, List<ResponseHead.Field> more) {
        refuse(refusal, refusalPages().plan(refusal, more));
    }

    /// Refuses the request for this row's reason with a plan of the caller's making.
    public abstract void refuse(Refusal refusal, ResponsePlan plan);

    /// Asks for the content of the request. At most once, before the answer, on the event loop; a client that waits for
    /// `100 Continue` gets it now. Without this call the content is read and dropped, within bounds.
    public abstract void receive(BodyReceiver receiver);

    /// Hands an answer over from another thread, such as a lane's. A plan that comes too late is released there.
    public final void deliver(ResponsePlan plan) {
        executor().execute(() -> {
            if (cancelled()) {
                plan.release();
            } else {
                respond(plan);
            }
        });
    }

    /// Hands a refusal over from another thread.
    public final void deliver(Refusal refusal) {
        executor().execute(() -> {
            if (!cancelled()) {
                refuse(refusal);
            }
        });
    }

    /// What kind of work this turned out to be, for metrics; `STATIC_SMALL` until a handler says otherwise.
    public final void workClass(WorkClass kind) {
        this.workClass = kind;
    }

    public final WorkClass workClass() {
        return workClass;
    }
}
