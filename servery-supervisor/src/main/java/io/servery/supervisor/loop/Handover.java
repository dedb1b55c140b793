package io.servery.supervisor.loop;

import io.servery.core.config.ServeryConfig;
import io.servery.core.control.Order;
import io.servery.core.control.Report;
import io.servery.core.lifecycle.Verdict;
import io.servery.core.lifecycle.WorkerId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// What workers of the configuration that serves show to peers: handed over to all, and taken back by all where one cannot.
///
/// *Owner*: the loop.
final class Handover {
    private final Revisions revisions;
    private final Changes changes;
    private final Workers workers;
    private final Identities identities;
    private final Showing showing = new Showing();
    /// What the configuration that serves showed before the last change of its identities.
    private Optional<Order.Identify> before = Optional.empty();

    Handover(Revisions revisions, Changes changes, Workers workers, Identities identities) {
        this.revisions = revisions;
        this.changes = changes;
        this.workers = workers;
        this.identities = identities;
    }

    /// Something else is shown from now on, if this configuration is the one that serves.
    ///
    /// @param end completes when every worker shows it
    void identify(ServeryConfig of, Order.Identify order, CompletableFuture<Void> end) {
        Revisions.Revision serving = serving();
        if (!serving.config().equals(of)) {
            end.completeExceptionally(new IllegalStateException("another configuration serves"));
            return;
        }
        before = serving.identities();
        showing.begin(order.number(), workers.identify(revisions.identify(serving.number(), order)), end);
    }

    /// A worker shows it, or cannot: then all go back to what was shown before.
    void heard(WorkerId worker, Report.Identified report) {
        if (report.refusal().isEmpty()) {
            showing.shown(worker, report.number());
        } else if (serving().identities().filter(order -> order.number() == report.number()).isPresent()) {
            before.ifPresent(order -> workers.identify(revisions.identify(serving().number(), order)));
            before = Optional.empty();
            identities.refused(report.number(), report.refusal());
            showing.fail(report.refusal());
        }
    }

    /// A worker has ended, or outlived what ends a process.
    void gone(WorkerId worker) {
        showing.gone(worker);
    }

    /// What the configuration that serves shows.
    Optional<Order.Identify> shown() {
        return serving().identities();
    }

    /// A change of configuration has ended.
    ///
    /// @param shown what was shown before
    void concluded(Verdict verdict, Optional<Order.Identify> shown) {
        switch (verdict) {
            case Verdict.Pushed _ -> before = shown;
            case Verdict.Serving _,Verdict.RolledBack _ -> before = Optional.empty();
            case Verdict.Kept _,Verdict.Superseded _ -> {
            }
        }
    }

    /// Nobody shows anything any more.
    void end() {
        showing.fail("the service ends");
    }

    private Revisions.Revision serving() {
        return revisions.of(changes.serving());
    }
}
