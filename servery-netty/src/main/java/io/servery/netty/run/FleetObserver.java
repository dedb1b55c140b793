package io.servery.netty.run;

import io.servery.core.lifecycle.Cause;
import io.servery.core.lifecycle.Condition;
import io.servery.core.lifecycle.Fact;
import io.servery.core.lifecycle.Verdict;
import io.servery.supervisor.host.SystemdNotifier;
import io.servery.supervisor.loop.Conclusion;
import io.servery.supervisor.loop.Observer;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/// Tells everyone who wants to know of the fleet: the admin listener, the service manager, the events.
///
/// *Owner*: the loop of the parent.
final class FleetObserver implements Observer {
    private final Readiness readiness;
    private final SystemdNotifier manager;
    private final FleetEvents events;
    private Condition condition = Condition.STARTING;
    private boolean started;
    private boolean ending;
    private long watchdogNanos = System.nanoTime();

    FleetObserver(Readiness readiness, SystemdNotifier manager, FleetEvents events) {
        this.readiness = readiness;
        this.manager = manager;
        this.events = events;
    }

    @Override
    public void published(Condition now, Optional<Cause> why, boolean ends) {
        condition = now;
        readiness.published(now);
        if (ends && !ending) {
            ending = true;
            manager.stopping();
        }
        if (now == Condition.READY) {
            started = true;
            manager.ready(status(why));
        } else {
            manager.status(status(why));
        }
        events.published(now, why);
    }

    private String status(Optional<Cause> why) {
        return condition.name().toLowerCase(Locale.ROOT) + why.map(cause -> ": " + cause.text()).orElse("");
    }

    @Override
    public void noted(Fact fact, OptionalInt pid) {
        if (fact instanceof Fact.ReloadStarted) {
            manager.reloading();
        }
        events.noted(fact, pid);
    }

    /// A manager that was told of a reload waits for READY, whatever came of it and whatever the service is. It was not told
    /// of one that never began.
    @Override
    public void concluded(Conclusion conclusion) {
        boolean began = conclusion.reload() != 0 && !(conclusion.verdict() instanceof Verdict.Superseded);
        if (began && started && !ending) {
            manager.ready(status(Optional.empty()));
        }
        events.concluded(conclusion);
    }

    @Override
    public void turned() {
        readiness.turned();
        manager.watchdogInterval().ifPresent(interval -> {
            long now = System.nanoTime();
            if (now - watchdogNanos >= interval.toNanos() / 2) {
                watchdogNanos = now;
                manager.watchdog();
            }
        });
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
    public void troubled(String what) {
        events.troubled(what);
    }
}
