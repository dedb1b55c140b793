package io.servery.core.lifecycle;

import static io.servery.core.lifecycle.Effect.Severity.KILL;
import static io.servery.core.lifecycle.Effect.Severity.TERM;
import static io.servery.core.reason.Reason.CLEAN_EXIT;
import static io.servery.core.reason.Reason.FORCED_TERMINATION;
import static io.servery.core.reason.Reason.HEALTH_FAILURE;
import static io.servery.core.reason.Reason.READINESS_TIMEOUT;
import static io.servery.core.reason.Reason.STARTUP_FAILURE;
import static io.servery.core.reason.Reason.UNEXPECTED_EXIT;

import io.servery.core.control.Order;
import io.servery.core.control.Report;
import io.servery.core.lifecycle.Event.ChannelClosed;
import io.servery.core.lifecycle.Event.Exited;
import io.servery.core.lifecycle.Event.MovesWorker;
import io.servery.core.lifecycle.Event.Reported;
import io.servery.core.lifecycle.Event.SpawnFailed;
import io.servery.core.lifecycle.Event.TimePassed;
import io.servery.core.lifecycle.Worker.Committed;
import io.servery.core.lifecycle.Worker.Draining;
import io.servery.core.lifecycle.Worker.Gone;
import io.servery.core.lifecycle.Worker.InService;
import io.servery.core.lifecycle.Worker.Killed;
import io.servery.core.lifecycle.Worker.Leaving;
import io.servery.core.lifecycle.Worker.Prepared;
import io.servery.core.lifecycle.Worker.Preparing;
import io.servery.core.lifecycle.Worker.Ready;
import io.servery.core.lifecycle.Worker.Silent;
import io.servery.core.lifecycle.Worker.Starting;
import io.servery.core.lifecycle.Worker.Terminating;
import io.servery.core.lifecycle.Worker.Unready;
import io.servery.core.reason.Reason;
import java.time.Duration;

/// Moves one worker: what it does, what happens to it, and what its generation makes of it.
///
/// A report out of its place is the failure of that worker, never of its parent. An event of the parent's own making that
/// cannot be is a bug, and throws.
final class WorkerMachine {
    /// From the last report of a worker to the end of its process, within its drain.
    static final Duration EXIT_MAX = Duration.ofSeconds(5);

    /// A deadline that is noticed so late says more about the parent than about the worker: it was stopped, or had no
    /// processor, and heartbeats wait unread.
    private static final Duration LATE = Duration.ofMillis(500);

    private final Plan plan;
    private final Turn turn;

    WorkerMachine(Plan plan, Turn turn) {
        this.plan = plan;
        this.turn = turn;
    }

    Worker spawn(WorkerId id) {
        turn.add(new Effect.Spawn(id, plan.revision()));
        turn.note(new Fact.WorkerStarted(id));
        return new Starting(id, turn.now().plus(plan.timing().start()));
    }

    Worker commit(Prepared worker) {
        turn.send(worker.id(), new Order.Commit());
        return new Committed(worker.id(), worker.until());
    }

    /// Has it leave: by a drain if it may have work, else by TERM.
    Worker dismiss(Worker worker, Cause why) {
        return leave(worker, why, Duration.ZERO);
    }

    /// The same for one whose place is taken: its connections come anew over some time.
    Worker relieve(Worker worker, Cause why) {
        return leave(worker, why, plan.timing().parting());
    }

    private Worker leave(Worker worker, Cause why, Duration parting) {
        return switch (worker) {
            case Unready one -> terminate(one.id(), why);
            case InService one -> {
                turn.addLast(new Effect.Send(one.id(), new Order.Drain(plan.timing().drain(), parting)));
                yield new Draining(one.id(), turn.now().plus(plan.timing().drain()), why);
            }
            case Leaving one -> one;
            case Gone one -> one;
        };
    }

    /// Has it leave at once.
    Worker force(Worker worker) {
        Cause why = new Cause(FORCED_TERMINATION, "the worker was told to stop at once");
        return switch (worker) {
            case Unready one -> terminate(one.id(), why);
            case InService one -> terminate(one.id(), why);
            case Draining one -> terminate(one.id(), why);
            case Terminating one -> one;
            case Killed one -> one;
            case Gone one -> one;
        };
    }

    /// Has one that took no work leave without a drain.
    Worker terminate(InService worker, Cause why) {
        return terminate(worker.id(), why);
    }

    Worker step(Worker worker, MovesWorker event) {
        return switch (worker) {
            case Starting one -> starting(one, event);
            case Preparing one -> preparing(one, event);
            case Prepared one -> prepared(one, event);
            case Committed one -> committed(one, event);
            case Ready one -> ready(one, event);
            case Silent one -> silent(one, event);
            case Draining one -> draining(one, event);
            case Terminating one -> terminating(one, event);
            case Killed one -> killed(one, event);
            case Gone one -> throw impossible(one, event);
        };
    }

    private Worker starting(Starting worker, MovesWorker event) {
        return switch (event) {
            case Reported(_, _, Report report) -> switch (report) {
                case Report.Hello _ -> {
                    turn.add(new Effect.HandOver(worker.id(), plan));
                    yield new Preparing(worker.id(), worker.until());
                }
                case Report.Failed failed -> failed(worker, failed);
                case Report.Exiting exiting -> exiting(worker, exiting);
                case Report.Prepared _,Report.Ready _,Report.Heartbeat _,Report.Released _,Report.Drained _,Report.MetricsSnapshot _,Report.Identified _,Report.Posted _ ->
                    misplaced(worker, report);
            };
            case ChannelClosed closed -> startFailed(worker, closed.how());
            case Exited exited -> exitedUnready(worker, exited.status());
            case SpawnFailed(_, _, String cause) -> notSpawned(worker, cause);
            case TimePassed _ -> startLate(worker, "said nothing");
        };
    }

    private Worker preparing(Preparing worker, MovesWorker event) {
        return switch (event) {
            case Reported(_, _, Report report) -> switch (report) {
                case Report.Prepared _ -> new Prepared(worker.id(), worker.until());
                case Report.Failed failed -> failed(worker, failed);
                case Report.Exiting exiting -> exiting(worker, exiting);
                case Report.Heartbeat _,Report.MetricsSnapshot _,Report.Identified _,Report.Posted _ -> worker;
                case Report.Hello _,Report.Ready _,Report.Released _,Report.Drained _ -> misplaced(worker, report);
            };
            case ChannelClosed closed -> startFailed(worker, closed.how());
            case Exited exited -> exitedUnready(worker, exited.status());
            case TimePassed _ -> startLate(worker, "was not prepared");
            case SpawnFailed _ -> throw impossible(worker, event);
        };
    }

    private Worker prepared(Prepared worker, MovesWorker event) {
        return switch (event) {
            case Reported(_, _, Report report) -> switch (report) {
                case Report.Failed failed -> failed(worker, failed);
                case Report.Exiting exiting -> exiting(worker, exiting);
                case Report.Heartbeat _,Report.MetricsSnapshot _,Report.Identified _,Report.Posted _ -> worker;
                case Report.Hello _,Report.Prepared _,Report.Ready _,Report.Released _,Report.Drained _ ->
                    misplaced(worker, report);
            };
            case ChannelClosed closed -> startFailed(worker, closed.how());
            case Exited exited -> exitedUnready(worker, exited.status());
            case TimePassed _ -> worker;
            case SpawnFailed _ -> throw impossible(worker, event);
        };
    }

    private Worker committed(Committed worker, MovesWorker event) {
        return switch (event) {
            case Reported(_, _, Report report) -> switch (report) {
                case Report.Ready _ -> {
                    turn.note(new Fact.WorkerReady(worker.id()));
                    yield new Ready(worker.id(), turn.now(), Pulse.of(plan.eventLoops(), turn.now()));
                }
                case Report.Failed failed -> failed(worker, failed);
                case Report.Exiting exiting -> exiting(worker, exiting);
                case Report.Heartbeat _,Report.MetricsSnapshot _,Report.Identified _,Report.Posted _ -> worker;
                case Report.Hello _,Report.Prepared _,Report.Released _,Report.Drained _ ->
                    misplaced(worker, report);
            };
            case ChannelClosed closed -> startFailed(worker, closed.how());
            case Exited exited -> exitedUnready(worker, exited.status());
            case TimePassed _ -> startLate(worker, "was not ready");
            case SpawnFailed _ -> throw impossible(worker, event);
        };
    }

    private Worker ready(Ready worker, MovesWorker event) {
        return switch (event) {
            case Reported(_, _, Report report) -> switch (report) {
                case Report.Heartbeat beat when worker.pulse().knows(beat.loop()) ->
                    new Ready(worker.id(), worker.since(), worker.pulse().heard(beat, turn.now()));
                case Report.Released _,Report.MetricsSnapshot _,Report.Identified _,Report.Posted _ -> worker;
                case Report.Failed failed -> failed(worker, failed);
                case Report.Exiting exiting -> exiting(worker, exiting);
                case Report.Heartbeat _,Report.Hello _,Report.Prepared _,Report.Ready _,Report.Drained _ ->
                    misplaced(worker, report);
            };
            case ChannelClosed closed -> terminate(worker.id(), said(UNEXPECTED_EXIT, closed.how()));
            case Exited exited -> exitedInService(worker, exited.status());
            case TimePassed _ -> whenSilent(worker);
            case SpawnFailed _ -> throw impossible(worker, event);
        };
    }

    private Worker silent(Silent worker, MovesWorker event) {
        return switch (event) {
            case Reported(_, _, Report report) -> switch (report) {
                case Report.Heartbeat beat when worker.pulse().knows(beat.loop()) ->
                    heard(worker, worker.pulse().heard(beat, turn.now()));
                case Report.Released _,Report.MetricsSnapshot _,Report.Identified _,Report.Posted _ -> worker;
                case Report.Failed failed -> failed(worker, failed);
                case Report.Exiting exiting -> exiting(worker, exiting);
                case Report.Heartbeat _,Report.Hello _,Report.Prepared _,Report.Ready _,Report.Drained _ ->
                    misplaced(worker, report);
            };
            case ChannelClosed closed -> terminate(worker.id(), said(UNEXPECTED_EXIT, closed.how()));
            case Exited exited -> exitedInService(worker, exited.status());
            case TimePassed _ -> whenHanging(worker);
            case SpawnFailed _ -> throw impossible(worker, event);
        };
    }

    private Worker draining(Draining worker, MovesWorker event) {
        return switch (event) {
            case Reported(_, _, Report report) -> switch (report) {
                case Report.Drained _,Report.Exiting _ -> leavingSoon(worker);
                case Report.Heartbeat _,Report.Released _,Report.MetricsSnapshot _,Report.Identified _,Report.Posted _ ->
                    worker;
                case Report.Failed failed -> failed(worker, failed);
                case Report.Hello _,Report.Prepared _,Report.Ready _ -> misplaced(worker, report);
            };
            case ChannelClosed _ -> leavingSoon(worker);
            case Exited(_, _, ExitStatus status) -> gone(worker, status.isClean()
                    ? worker.why()
                    : said(UNEXPECTED_EXIT, status.text() + " while it drained"));
            case TimePassed _ when turn.reached(worker.until()) -> terminate(worker.id(),
                    said(FORCED_TERMINATION, "was still there at the end of its drain"));
            case TimePassed _ -> worker;
            case SpawnFailed _ -> throw impossible(worker, event);
        };
    }

    private Worker terminating(Terminating worker, MovesWorker event) {
        return switch (event) {
            case Reported _,ChannelClosed _ -> worker;
            case Exited _ -> gone(worker, worker.why());
            case SpawnFailed(_, _, String cause) -> notSpawned(worker, cause);
            case TimePassed _ when turn.reached(worker.until()) -> kill(worker.id(), worker.why());
            case TimePassed _ -> worker;
        };
    }

    private Worker killed(Killed worker, MovesWorker event) {
        return switch (event) {
            case Reported _,ChannelClosed _ -> worker;
            case Exited _ -> gone(worker, worker.why());
            case SpawnFailed(_, _, String cause) -> notSpawned(worker, cause);
            case TimePassed _ when turn.reached(worker.until()) -> survived(worker);
            case TimePassed _ -> worker;
        };
    }

    // Time

    private Worker startLate(Unready worker, String what) {
        return turn.reached(worker.until())
                ? terminate(worker.id(), said(READINESS_TIMEOUT, what + " within " + seconds(plan.timing().start())))
                : worker;
    }

    private Worker whenSilent(Ready worker) {
        Moment due = worker.pulse().oldest().plus(plan.timing().silence());
        if (!turn.reached(due)) {
            return worker;
        }
        if (turn.now().since(due).compareTo(LATE) > 0) {
            return new Ready(worker.id(), worker.since(), worker.pulse().anew(turn.now()));
        }
        turn.note(new Fact.WorkerSilent(worker.id()));
        return whenHanging(new Silent(worker.id(), worker.since(), worker.pulse()));
    }

    private Worker whenHanging(Silent worker) {
        Moment due = worker.pulse().oldest().plus(plan.timing().hang());
        if (!turn.reached(due)) {
            return worker;
        }
        if (turn.now().since(due).compareTo(LATE) > 0) {
            return new Silent(worker.id(), worker.since(), worker.pulse().anew(turn.now()));
        }
        return kill(worker.id(),
                said(HEALTH_FAILURE, "had an event loop that stood still for " + seconds(plan.timing().hang())));
    }

    private Worker heard(Silent worker, Pulse pulse) {
        if (turn.reached(pulse.oldest().plus(plan.timing().silence()))) {
            return new Silent(worker.id(), worker.since(), pulse);
        }
        turn.note(new Fact.WorkerHeard(worker.id()));
        return new Ready(worker.id(), worker.since(), pulse);
    }

    // Ways out

    private Worker failed(Worker worker, Report.Failed failed) {
        return terminate(worker.id(), new Cause(failed.reason(), failed.cause()));
    }

    private Worker exiting(Worker worker, Report.Exiting exiting) {
        Reason reason = switch (worker) {
            case Unready _ -> STARTUP_FAILURE;
            case InService _ -> exiting.code() == 0 ? CLEAN_EXIT : UNEXPECTED_EXIT;
            case Leaving leaving -> leaving.why().reason();
            case Gone gone -> gone.cause().reason();
        };
        return terminate(worker.id(), said(reason, "exits with code " + exiting.code() + ": " + exiting.cause()));
    }

    private Worker startFailed(Unready worker, String how) {
        return terminate(worker.id(), said(STARTUP_FAILURE, how + " before it was ready"));
    }

    private Worker misplaced(Worker worker, Report report) {
        return terminate(worker.id(), said(HEALTH_FAILURE,
                "reported " + report.getClass().getSimpleName() + " while " + worker.getClass().getSimpleName()));
    }

    /// It said that it is done: what is left to it is to exit, which takes a process its time on a busy host.
    private Worker leavingSoon(Draining worker) {
        Moment soon = turn.now().plus(EXIT_MAX);
        return new Draining(worker.id(), worker.until().orEarlier(soon), worker.why());
    }

    private Worker terminate(WorkerId id, Cause why) {
        turn.add(new Effect.Signal(id, TERM));
        return new Terminating(id, turn.now().plus(plan.timing().force()), why);
    }

    private Worker kill(WorkerId id, Cause why) {
        turn.add(new Effect.Signal(id, KILL));
        return new Killed(id, turn.now().plus(plan.timing().survival()), why);
    }

    private Worker exitedUnready(Unready worker, ExitStatus status) {
        return gone(worker, said(STARTUP_FAILURE, status.text() + " before it was ready"));
    }

    private Worker exitedInService(InService worker, ExitStatus status) {
        return gone(worker, said(status.isClean() ? CLEAN_EXIT : UNEXPECTED_EXIT, status.text()));
    }

    private Worker notSpawned(Worker worker, String cause) {
        return gone(worker, new Cause(STARTUP_FAILURE, "the worker could not be started: " + cause));
    }

    private Worker survived(Killed worker) {
        turn.survived(worker.id());
        turn.note(new Fact.WorkerExited(worker.id(), worker.why()));
        return new Gone(worker.id(), worker.why());
    }

    private Worker gone(Worker worker, Cause cause) {
        turn.note(new Fact.WorkerExited(worker.id(), cause));
        return new Gone(worker.id(), cause);
    }

    private static Cause said(Reason reason, String what) {
        return new Cause(reason, "the worker " + what);
    }

    private static String seconds(Duration duration) {
        return duration.toMillis() / 1000.0 + " s";
    }

    private static IllegalStateException impossible(Worker worker, Event event) {
        return new IllegalStateException("worker: " + event + ": found it " + worker);
    }
}
