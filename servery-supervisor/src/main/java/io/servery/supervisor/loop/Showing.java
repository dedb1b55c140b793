package io.servery.supervisor.loop;

import io.servery.core.lifecycle.WorkerId;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Which workers have still to say that they show what was handed over last.
///
/// *Owner*: the loop. *Invariant*: at least one worker has said so before it counts as shown; until one is there, it waits.
final class Showing {
    private final Set<WorkerId> awaited = new TreeSet<>();
    private long number;
    private boolean answered;
    private @Nullable CompletableFuture<Void> end;

    /// From now on this order is awaited, and no other.
    ///
    /// @param told whom it was sent to; workers that come later are given it before they prepare
    /// @param next completes when all of them show it, exceptionally when one cannot or something else takes its place
    void begin(long order, Collection<WorkerId> told, CompletableFuture<Void> next) {
        fail("something else is to be shown");
        awaited.clear();
        awaited.addAll(told);
        number = order;
        answered = false;
        end = next;
    }

    /// Whether nothing is awaited: what was handed over last is shown by every worker that was told, or is not shown at all.
    boolean isSettled() {
        return end == null;
    }

    /// A worker shows what has this number.
    void shown(WorkerId worker, long order) {
        if (order == number) {
            awaited.remove(worker);
            answered = true;
            settle();
        }
    }

    /// A worker has ended.
    void gone(WorkerId worker) {
        if (awaited.remove(worker)) {
            settle();
        }
    }

    /// It is not shown.
    void fail(String why) {
        CompletableFuture<Void> failed = end;
        end = null;
        if (failed != null) {
            failed.completeExceptionally(new IllegalStateException(why));
        }
    }

    private void settle() {
        CompletableFuture<Void> done = end;
        if (done != null && answered && awaited.isEmpty()) {
            end = null;
            done.complete(null);
        }
    }
}
