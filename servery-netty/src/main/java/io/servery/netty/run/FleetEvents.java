package io.servery.netty.run;

import io.servery.core.config.Logging.Level;
import io.servery.core.lifecycle.Cause;
import io.servery.core.lifecycle.Condition;
import io.servery.core.lifecycle.Fact;
import io.servery.core.lifecycle.Reload;
import io.servery.core.lifecycle.Verdict;
import io.servery.core.lifecycle.WorkerId;
import io.servery.core.reason.Reason;
import io.servery.netty.observe.Event;
import io.servery.netty.observe.Events;
import io.servery.supervisor.loop.Conclusion;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// Tells what happens to the fleet as events.
///
/// *Owner*: the loop of the parent. The writing is done by the thread of [Events].
final class FleetEvents {
    /// Exits that are as they should be.
    private static final Set<Reason> ASKED_FOR = EnumSet.of(Reason.CLEAN_EXIT, Reason.RECYCLE_AGE,
            Reason.RECYCLE_REQUESTS);

    private final Events events;
    private final StartFacts facts;
    /// The change that brings a configuration back because the one that serves ends in a crash loop; none is 0.
    private int recovery;
    private boolean wasReady;

    FleetEvents(Events events, StartFacts facts) {
        this.events = events;
        this.facts = facts;
    }

    void published(Condition condition, Optional<Cause> why) {
        if (condition == Condition.READY && !wasReady) {
            wasReady = true;
            facts.ready();
            return;
        }
        Event changed = Event.of(condition == Condition.FAILED ? Level.ERROR : Level.INFO, "runtime.state_changed")
                .with("state", condition.name().toLowerCase(Locale.ROOT));
        events.emit(why.map(cause -> because(changed, cause)).orElse(changed));
    }

    void noted(Fact fact, OptionalInt pid) {
        if (fact instanceof Fact.ReloadStarted(int reload, Reload.Kind kind) && kind == Reload.Kind.RECOVERY) {
            recovery = reload;
        }
        Event event = switch (fact) {
            case Fact.WorkerStarted(WorkerId worker) -> of(Level.INFO, "worker.started", worker);
            case Fact.WorkerReady(WorkerId worker) -> of(Level.INFO, "worker.ready", worker);
            case Fact.WorkerSilent(WorkerId worker) -> of(Level.WARN, "worker.silent", worker).with("message",
                    "an event loop stands still; others read its sockets meanwhile");
            case Fact.WorkerHeard(WorkerId worker) -> of(Level.INFO, "worker.heard", worker);
            case Fact.WorkerExited(WorkerId worker, Cause cause) ->
                because(of(ASKED_FOR.contains(cause.reason()) ? Level.INFO : Level.WARN, "worker.exited", worker),
                        cause);
            case Fact.WorkerSurvived(WorkerId worker) -> of(Level.ERROR, "worker.survived", worker).with("message",
                    "the process outlived KILL: look for what it hangs in (/proc/PID/stack)");
            case Fact.WorkerRestarted(WorkerId worker, Reason reason) ->
                of(Level.INFO, "worker.restarted", worker).with("reason", reason.code());
            case Fact.SlotGivenUp(int slot, Cause cause) ->
                because(Event.of(Level.ERROR, "worker.given_up").with("worker", slot), cause);
            case Fact.CrashLooped(int generation, Cause cause) ->
                because(Event.of(Level.ERROR, "worker.crash_loop").with("generation", generation), cause);
            case Fact.ReloadStarted(_, var kind) ->
                Event.of(Level.INFO, "reload.started").with("kind", kind.name().toLowerCase(Locale.ROOT));
            case Fact.GenerationServed(int generation) -> Event.of(Level.INFO, "generation.serving")
                    .with("generation", generation);
            case Fact.GenerationDraining(int generation) -> Event.of(Level.INFO, "generation.draining")
                    .with("generation", generation);
            case Fact.GenerationGone(int generation) -> Event.of(Level.INFO, "generation.gone")
                    .with("generation", generation);
        };
        events.emit(pid.isPresent() ? event.with("pid", pid.getAsInt()) : event);
    }

    void concluded(Conclusion conclusion) {
        if (conclusion.reload() == 0) {
            return; // the start tells of itself
        }
        String changed = String.join(", ", conclusion.changed());
        Event event = switch (conclusion.verdict()) {
            case Verdict.Pushed _ -> Event.of(Level.INFO, "reload.accepted").with("changed", changed).with("message",
                    "applied without a new generation");
            case Verdict.Serving(int generation, _) ->
                Event.of(Level.INFO, "reload.accepted").with("generation", generation).with("changed", changed);
            case Verdict.RolledBack(int generation, _) ->
                rolledBack(conclusion.reload() == recovery).with("generation", generation).with("changed", changed);
            case Verdict.Kept(Cause cause) -> because(Event.of(Level.ERROR, "reload.rejected"), cause);
            case Verdict.Superseded _ ->
                Event.of(Level.INFO, "reload.rejected").with("message", "a later request asked for something else");
        };
        events.emit(event);
    }

    void opened(String listener, String url, int sockets) {
        events.emit(
                Event.of(Level.INFO, "listener.started").with("listener", listener).with("address", url).with("count",
                        sockets));
    }

    void closed(String listener, String url) {
        events.emit(Event.of(Level.INFO, "listener.stopped").with("listener", listener).with("address", url));
    }

    void failed(String what) {
        events.emit(Event.of(Level.WARN, "listener.failed").with("message", what));
    }

    void troubled(String what) {
        events.emit(Event.of(Level.WARN, "runtime.trouble").with("message", what));
    }

    /// By an operator, or because the configuration that is left behind could not be kept running.
    private static Event rolledBack(boolean recovery) {
        Event event = Event.of(Level.WARN, "reload.rolled_back");
        return recovery ? event.with("reason", Reason.CRASH_LOOP.code()) : event;
    }

    private static Event of(Level level, String name, WorkerId worker) {
        return Event.of(level, name).with("generation", worker.generation()).with("worker", worker.slot());
    }

    private static Event because(Event event, Cause cause) {
        return event.with("reason", cause.reason().code()).with("message", cause.text());
    }
}
