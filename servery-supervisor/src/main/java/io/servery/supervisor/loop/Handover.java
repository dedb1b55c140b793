package io.servery.supervisor.loop;

import io.servery.core.config.ServeryConfig;
import io.servery.core.control.Order;
import io.servery.core.control.Report;
import io.servery.core.lifecycle.Verdict;
import io.servery.core.lifecycle.WorkerId;
import io.servery.supervisor.loop.Revisions.Revision;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.IntSupplier;

/// What workers of the configuration that serves show to peers: handed over to all, and taken back by all where one cannot.
///
/// *Owner*: the loop. *Invariant*: what all go back to is something that every worker has shown, however many changes came
/// before the first refusal: a worker that starts is given it too.
final class Handover {
    private final Revisions revisions;
    private final IntSupplier servingNumber;
    private final Function<Revision, Collection<WorkerId>> workers;
    private final Identities identities;
    private final Showing showing = new Showing();
    /// What every worker of the configuration that serves has shown last, before what is on its way; empty where that is what the
    /// configuration began with.
    private Optional<Order.Identify> proven = Optional.empty();

    /// @param serving the revision that serves
    /// @param workers tells every worker of a revision that shows something else, and says which workers it has
    Handover(Revisions revisions, IntSupplier serving, Function<Revision, Collection<WorkerId>> workers,
            Identities identities) {
        this.revisions = revisions;
        this.servingNumber = serving;
        this.workers = workers;
        this.identities = identities;
    }

    /// Something else is shown from now on, if this configuration is the one that serves.
    ///
    /// @param end completes when every worker shows it
    void identify(ServeryConfig of, Order.Identify order, CompletableFuture<Void> end) {
        Revision serving = serving();
        if (!serving.config().equals(of)) {
            end.completeExceptionally(new IllegalStateException("another configuration serves"));
            return;
        }
        begin(serving.identities(), order, end);
    }

    /// @param before what was shown until now, or was on its way
    private void begin(Optional<Order.Identify> before, Order.Identify order, CompletableFuture<Void> end) {
        if (showing.isSettled()) {
            proven = before;
        }
        showing.begin(order.number(), tell(order), end);
    }

    private Collection<WorkerId> tell(Order.Identify order) {
        Revision serving = serving();
        return workers.apply(serving.identities().filter(order::equals).isPresent()
                ? serving
                : revisions.identify(serving.number(), order));
    }

    /// A worker shows it, or cannot: then all go back to what was shown before.
    void heard(WorkerId worker, Report.Identified report) {
        if (report.refusal().isEmpty()) {
            showing.shown(worker, report.number());
        } else if (serving().identities().filter(order -> order.number() == report.number()).isPresent()) {
            Optional<Order.Identify> again = proven;
            proven = Optional.empty();
            again.ifPresent(this::tell);
            identities.refused(report.number(), again, report.refusal());
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
            // Workers were sent it with the change; one may still refuse it.
            case Verdict.Pushed _ -> serving().identities().filter(order -> !shown.equals(Optional.of(order)))
                    .ifPresent(order -> begin(shown, order, new CompletableFuture<>()));
            case Verdict.Serving _,Verdict.RolledBack _ -> {
                showing.fail("another configuration serves");
                proven = Optional.empty();
            }
            case Verdict.Kept _,Verdict.Superseded _ -> {
            }
        }
    }

    /// Nobody shows anything any more.
    void end() {
        showing.fail("the service ends");
    }

    private Revision serving() {
        return revisions.of(servingNumber.getAsInt());
    }
}
