package io.servery.supervisor.loop;

import io.servery.core.control.Challenges;
import io.servery.core.control.Order;
import io.servery.core.control.Report;
import io.servery.core.lifecycle.WorkerId;
import io.servery.supervisor.loop.PostingException.Reason;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The challenges that stand, and which workers have still to acknowledge them.
///
/// *Owner*: the loop. *Invariant*: a publication without an end waits for a worker that is there; a worker that is told
/// nothing yet is given what stands before it is prepared, so that it never accepts without it.
final class Board {
    private final Function<Order.Post, Collection<WorkerId>> workers;
    private final Set<WorkerId> awaited = new TreeSet<>();
    private final Set<WorkerId> answering = new TreeSet<>();
    private Order.Post posted = new Order.Post(0, Challenges.NONE);
    private @Nullable CompletableFuture<Void> publication;

    /// @param workers tells every worker that can be told, and says which these are
    Board(Function<Order.Post, Collection<WorkerId>> workers) {
        this.workers = workers;
    }

    /// What a worker that starts now is to answer.
    Optional<Order.Post> standing() {
        return posted.challenges().isEmpty() ? Optional.empty() : Optional.of(posted);
    }

    /// From now on these stand.
    ///
    /// @param end completes when every worker answers by them
    void publish(Challenges challenges, CompletableFuture<Void> end) {
        fail(Reason.SUPERSEDED, "others were published meanwhile");
        post(challenges);
        publication = end;
        settle();
    }

    private void post(Challenges challenges) {
        posted = new Order.Post(posted.number() + 1, challenges);
        answering.clear();
        awaited.clear();
        awaited.addAll(workers.apply(posted));
    }

    /// A worker has answered the order to post, or says that it cannot. What one cannot, none does.
    void heard(WorkerId worker, Report.Posted report) {
        if (report.number() != posted.number()) {
            return; // of challenges that do not stand any more
        }
        if (!report.refusal().isEmpty()) {
            fall(Reason.REFUSED, "worker " + worker + ": " + report.refusal());
        } else if (awaited.remove(worker)) {
            answering.add(worker);
            settle();
        }
    }

    /// A worker has ended, or outlived what ends a process.
    void gone(WorkerId worker) {
        answering.remove(worker);
        if (awaited.remove(worker)) {
            settle();
        }
    }

    /// The service ends: who is asked for a certificate now is nobody.
    void stopping() {
        fail(Reason.STOPPING, "the service ends");
    }

    private void settle() {
        if (publication == null || !awaited.isEmpty()) {
            return;
        }
        if (answering.isEmpty() && !posted.challenges().isEmpty()) {
            fall(Reason.NO_WORKER, "no worker is there to answer them");
        } else {
            CompletableFuture<Void> ended = publication;
            publication = null;
            ended.complete(null);
        }
    }

    /// They stand no more, wherever they did.
    private void fall(Reason reason, String message) {
        post(Challenges.NONE);
        fail(reason, message);
    }

    private void fail(Reason reason, String message) {
        CompletableFuture<Void> failed = publication;
        publication = null;
        if (failed != null) {
            failed.completeExceptionally(new PostingException(reason, message));
        }
    }
}
