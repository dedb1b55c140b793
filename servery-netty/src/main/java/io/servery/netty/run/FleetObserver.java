package io.servery.netty.run;

import io.servery.core.lifecycle.Cause;
import io.servery.core.lifecycle.Condition;
import io.servery.core.lifecycle.Fact;
import io.servery.supervisor.host.SystemdNotifier;
import io.servery.supervisor.loop.Conclusion;
import io.servery.supervisor.loop.Observer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/// Tells everyone who wants to know of the fleet: the admin listener, the service manager, the events.
///
/// *Owner*: the loop of the parent.
final class FleetObserver implements Observer {
    private static final long LOOK_NANOS = Duration.ofMillis(500).toNanos();

    private final Readiness readiness;
    private final SystemdNotifier manager;
    private final FleetEvents events;
    private final Certificates certificates;
    /// What the workers are, and what was told, which certificates are a part of.
    private Condition fleet = Condition.STARTING;
    private Condition told = Condition.STARTING;
    private long lookedNanos = System.nanoTime();
    private boolean started;
    private boolean ending;
    /// The reload whose end the manager waits for; none is 0.
    private int reloading;
    private long watchdogNanos = System.nanoTime();

    /// Whoever has the certificates that are shown.
    ///
    /// @param amiss what is wrong with them, so that the service is not ready
    /// @param serves called whenever workers serve
    /// @param leaves called whenever workers are taken away that may come back
    /// @param goes called once, when the service begins to go for good
    record Certificates(Supplier<List<Cause>> amiss, Runnable serves, Runnable leaves, Runnable goes) {
    }

    FleetObserver(Readiness readiness, SystemdNotifier manager, FleetEvents events, Certificates certificates) {
        this.readiness = readiness;
        this.manager = manager;
        this.events = events;
        this.certificates = certificates;
    }

    @Override
    public void published(Condition now, Optional<Cause> why, boolean ends) {
        fleet = now;
        readiness.published(now);
        if (ends && !ending) {
            ending = true;
            manager.stopping();
            certificates.goes().run();
        }
        List<Cause> wrong = certificates.amiss().get();
        told = now.given(wrong);
        Optional<Cause> cause = why.or(() -> first(now, wrong));
        // A manager waits for the start, not for an authority: workers serve, and answer whoever verifies names.
        if (now == Condition.READY) {
            started = true;
            manager.ready(status(cause));
            certificates.serves().run();
        } else {
            manager.status(status(cause));
            if (now == Condition.DRAINING || now == Condition.WITHDRAWN) {
                certificates.leaves().run();
            }
        }
        events.published(told, cause);
    }

    private static Optional<Cause> first(Condition fleet, List<Cause> wrong) {
        return fleet == Condition.READY ? wrong.stream().findFirst() : Optional.empty();
    }

    private String status(Optional<Cause> why) {
        return told.name().toLowerCase(Locale.ROOT) + why.map(cause -> ": " + cause.text()).orElse("");
    }

    @Override
    public void noted(Fact fact, OptionalInt pid) {
        if (fact instanceof Fact.ReloadStarted(int reload, _)) {
            reloading = reload;
            manager.reloading();
        }
        events.noted(fact, pid);
    }

    /// A manager that was told of a reload waits for READY, whatever came of it and whatever the service is. It was not told
    /// of one that never began.
    @Override
    public void concluded(Conclusion conclusion) {
        if (reloading != 0 && conclusion.reload() == reloading) {
            reloading = 0;
            if (started && !ending) {
                manager.ready(status(first(fleet, certificates.amiss().get())));
            }
        }
        events.concluded(conclusion);
    }

    @Override
    public void turned() {
        readiness.turned();
        lookAtCertificates();
        manager.watchdogInterval().ifPresent(interval -> {
            long now = System.nanoTime();
            if (now - watchdogNanos >= interval.toNanos() / 2) {
                watchdogNanos = now;
                manager.watchdog();
            }
        });
    }

    /// They change while workers do not: one is issued, or ends.
    private void lookAtCertificates() {
        long now = System.nanoTime();
        if (fleet != Condition.READY || now - lookedNanos < LOOK_NANOS) {
            return;
        }
        lookedNanos = now;
        List<Cause> wrong = certificates.amiss().get();
        if (fleet.given(wrong) != told) {
            told = fleet.given(wrong);
            manager.status(status(first(fleet, wrong)));
            events.published(told, first(fleet, wrong));
        }
    }

    @Override
    public void opened(String listener, String url, int sockets) {
        events.opened(listener, url, sockets);
    }

    @Override
    public void closed(String listener, String url) {
        events.closed(listener, url);
    }

    @Override
    public void failed(String what) {
        events.failed(what);
    }

    @Override
    public void troubled(String what) {
        events.troubled(what);
    }
}
