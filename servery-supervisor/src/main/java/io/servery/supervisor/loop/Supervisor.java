package io.servery.supervisor.loop;

import io.servery.core.config.Outcome;
import io.servery.core.config.RuntimeDirectory;
import io.servery.core.config.ServeryConfig;
import io.servery.core.control.Challenges;
import io.servery.core.control.ListenerRole;
import io.servery.core.control.Order;
import io.servery.core.control.Report;
import io.servery.core.control.Shard;
import io.servery.core.fault.ExitCode;
import io.servery.core.lifecycle.Cause;
import io.servery.core.lifecycle.Condition;
import io.servery.core.lifecycle.Effect;
import io.servery.core.lifecycle.Event;
import io.servery.core.lifecycle.ExitStatus;
import io.servery.core.lifecycle.Fact;
import io.servery.core.lifecycle.Fleet;
import io.servery.core.lifecycle.FleetTally;
import io.servery.core.lifecycle.Front;
import io.servery.core.lifecycle.Generation;
import io.servery.core.lifecycle.Moment;
import io.servery.core.lifecycle.Plan;
import io.servery.core.lifecycle.Step;
import io.servery.core.lifecycle.Verdict;
import io.servery.core.lifecycle.WorkerId;
import io.servery.core.operator.FleetStatus;
import io.servery.core.operator.OperatorReplies;
import io.servery.core.operator.OperatorRequest;
import io.servery.core.operator.WorkerLimits;
import io.servery.core.reason.Reason;
import io.servery.supervisor.channel.Poller;
import io.servery.supervisor.posix.PosixException;
import io.servery.supervisor.process.Processes;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// The parent's loop.
///
/// *Owner*: the thread of [#run], which is also the one that made it. [#stopSignalled], [#reloadSignalled], [#identify],
/// [#publishChallenges] and [#metrics] may be called by any.
public final class Supervisor implements AutoCloseable {
    private static final Duration WAIT_MAX = Duration.ofSeconds(1);
    /// Within the period of heartbeats: looked up while they are heard, a deadline that they move wakes nobody.
    private static final Duration SOON = Duration.ofMillis(400);
    private static final Duration LOSS_MAX = Duration.ofMillis(100);
    private static final double MILLIS_IN_SECOND = 1000;

    /// A channel that ended, and until when its process may turn out to have ended with it.
    private record Loss(String how, Moment until) {
    }

    /// Something that happened, and who waits for what becomes of it.
    private record Arrival(Event event, @Nullable Asker asker) {
    }

    private final SupervisorSpec spec;
    private final Poller poller = new Poller();
    private final Mailbox mailbox = new Mailbox(poller::wake);
    private final Revisions revisions = new Revisions();
    private final ArrayDeque<Arrival> arrivals = new ArrayDeque<>();
    private final Map<WorkerId, Loss> lost = new HashMap<>();
    /// Pids of workers whose end is still to be told.
    private final Map<WorkerId, Integer> ended = new HashMap<>();
    private final Listeners listeners;
    private final Changes changes;
    private final Workers workers;
    private final Operators operators;
    private final Counts counts;
    private final Board board;
    private final Handover handover;
    private final Moment begun = now();
    private Fleet fleet;
    private FleetTally tally = FleetTally.none();
    private Optional<Cause> startFailure = Optional.empty();
    /// When the fleet is to be asked for its deadline, at the latest: never after that deadline.
    private Moment due = begun;
    private @Nullable ExitCode code;

    /// Binds all that the first configuration needs, lets the process be hardened, and starts the workers.
    ///
    /// @throws ConfigurationRefusal with what the operator has to know
    /// @throws IOException where the sockets of the runtime directory cannot be made
    public Supervisor(SupervisorSpec spec, Outcome.Accepted accepted) throws IOException, ConfigurationRefusal {
        this.spec = spec;
        this.listeners = new Listeners(spec.table(), spec.observer(), this::servingConfig);
        this.changes = new Changes(
                new Changes.Means(spec.source(), spec.identities(), spec.resolver(), spec.table(), spec.companion(),
                        revisions, spec.launches(), listeners::opened,
                        spec.processors()),
                mailbox, Supervisor::now, this::arrived);
        Plan first = changes.first(accepted);
        spec.hardening().harden();
        Processes.harden();
        changes.hardened(accepted);
        changes.opened();
        this.workers = new Workers(spec.runtimeDirectory(), spec.build(), new Hearing(), spec.observer()::troubled);
        this.operators = new Operators(spec.runtimeDirectory().resolve(RuntimeDirectory.OPERATOR_SOCKET), this::asked,
                spec.observer()::troubled);
        this.counts = new Counts(workers::askForCounts);
        this.board = new Board(workers::post);
        this.handover = new Handover(revisions, changes::serving, workers::identify, spec.identities());
        Step start = Fleet.start(first, now());
        this.fleet = start.next();
        carryOut(start, null);
    }

    private static Moment now() {
        return new Moment(System.nanoTime());
    }

    /// A signal to stop came: the second one forces. Any thread.
    public void stopSignalled() {
        mailbox.put(() -> arrived(new Event.StopSignalled(now())));
    }

    /// A signal to reload came. Any thread.
    public void reloadSignalled() {
        mailbox.put(() -> arrived(new Event.ReloadRequested(now())));
    }

    /// Workers of a configuration show something else from now on, if it is the one that serves. Any thread.
    ///
    /// @return completes, on the thread of the loop, when every worker shows it; exceptionally when one cannot, when something
    /// else takes its place, or when another configuration has: whoever watches what it shows looks again
    public CompletionStage<Void> identify(ServeryConfig of, Order.Identify order) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        boolean taken = mailbox.put(() -> handover.identify(of, order, end));
        if (!taken) {
            end.completeExceptionally(new IllegalStateException("the service ends"));
        }
        return end.minimalCompletionStage();
    }

    /// From now on every worker answers these challenges and no others, those that start later before they accept. Any thread.
    ///
    /// @param challenges all that are to stand; [Challenges#NONE] takes down what stood
    /// @return completes, on the thread of the loop, when every event loop of every worker answers by them; exceptionally
    /// with a [PostingException] when one cannot, and then none stands
    public CompletionStage<Void> publishChallenges(Challenges challenges) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        boolean taken = mailbox.put(() -> {
            if (fleet instanceof Fleet.Running) {
                board.publish(challenges, end);
            } else {
                end.completeExceptionally(stopping());
            }
        });
        if (!taken) {
            end.completeExceptionally(stopping());
        }
        return end.minimalCompletionStage();
    }

    private static PostingException stopping() {
        return new PostingException(PostingException.Reason.STOPPING, "the service ends");
    }

    private void posted(WorkerId worker, Report.Posted report) {
        if (!report.refusal().isEmpty()) {
            spec.observer().troubled("worker " + worker + " cannot answer challenges: " + report.refusal());
        }
        board.heard(worker, report);
    }

    /// What the fleet and its workers have counted, asked of them now. Any thread.
    public CompletableFuture<FleetReport> metrics() {
        CompletableFuture<FleetReport> answer = new CompletableFuture<>();
        boolean asked = mailbox.put(() -> counts.ask(counted -> answer.complete(
                new FleetReport(counted.total(), counted.processes(), tally.sample(fleet))), now()));
        if (!asked) {
            answer.completeExceptionally(new IllegalStateException("the loop of the parent has ended"));
        }
        return answer;
    }

    /// Runs until nothing is left.
    ///
    /// @return the exit code of the process
    public ExitCode run() throws PosixException {
        while (code == null) {
            poller.await(watched(), untilNext());
            mailbox.runAll();
            workers.reap(this::ended);
            tellLosses();
            changes.passed(now());
            settle();
            timePassed();
            counts.passed(now());
            operators.passed(now());
            spec.observer().turned();
        }
        mailbox.close();
        counts.close();
        handover.end();
        return code;
    }

    /// The last word, for whoever asked to stop: called when nothing of the service is left, its lock included, so that another
    /// can start at once. After [#close].
    public void farewell(ExitCode last) {
        operators.farewell(last, now());
    }

    /// What time alone does to the fleet. Its deadline costs a walk through everything, so it is looked up when the last one
    /// comes soon, heartbeats having moved it since, or when something else than a heartbeat has moved the fleet.
    private void timePassed() {
        if (!due.isReached(now().plus(SOON))) {
            return;
        }
        if (fleet.deadline().filter(moment -> moment.isReached(now())).isPresent()) {
            arrived(new Event.TimePassed(now()));
            settle();
        }
        Moment latest = now().plus(WAIT_MAX);
        due = fleet.deadline().map(latest::orEarlier).orElse(latest);
    }

    private void ended(WorkerId worker, int pid, ExitStatus status) {
        counts.ended(worker);
        board.gone(worker);
        handover.gone(worker);
        ended.put(worker, pid);
        lost.remove(worker);
        arrived(new Event.Exited(now(), worker, status));
    }

    private void tellLosses() {
        if (lost.isEmpty()) {
            return;
        }
        Moment now = now();
        lost.entrySet().removeIf(entry -> {
            boolean over = entry.getValue().until().isReached(now);
            if (over) {
                arrived(new Event.ChannelClosed(now, entry.getKey(), entry.getValue().how()));
            }
            return over;
        });
    }

    private List<Poller.Watched> watched() {
        List<Poller.Watched> watched = workers.watched();
        watched.addAll(operators.watched());
        return watched;
    }

    private Duration untilNext() {
        Moment next = due;
        for (Loss loss : lost.values()) {
            next = next.orEarlier(loss.until());
        }
        next = counts.deadline().map(next::orEarlier).orElse(next);
        next = operators.deadline().map(next::orEarlier).orElse(next);
        next = changes.deadline().map(next::orEarlier).orElse(next);
        Moment now = now();
        return next.isReached(now) ? Duration.ZERO : next.since(now);
    }

    // Events

    private void arrived(Event event) {
        arrivals.add(new Arrival(event, null));
    }

    private void settle() {
        for (Arrival next = arrivals.poll(); next != null && code == null; next = arrivals.poll()) {
            stepped(next.event(), next.asker());
        }
    }

    private void stepped(Event event, @Nullable Asker asker) {
        boolean drains = event instanceof Event.DrainRequested;
        if (drains && asker != null) {
            operators.waitsForDrain(asker); // from now on: what was published before says nothing of this drain
        }
        Step step = fleet.step(event);
        if (movesDeadline(event, step)) {
            due = event.at();
        }
        carryOut(step, asker);
        if (drains && fleet.condition() == Condition.WITHDRAWN) {
            operators.published(Condition.WITHDRAWN, now());
        }
    }

    /// A heartbeat without an effect moves deadlines to later moments only: the old one is asked for once too often.
    private static boolean movesDeadline(Event event, Step step) {
        return !step.effects().isEmpty()
                || !(event instanceof Event.Reported(_, _, Report report) && report instanceof Report.Heartbeat);
    }

    private void carryOut(Step step, @Nullable Asker asker) {
        fleet = step.next();
        if (!(fleet instanceof Fleet.Running)) {
            board.stopping();
        }
        if (step.effects().isEmpty()) {
            return;
        }
        tally = tally.plus(step, System.currentTimeMillis() / MILLIS_IN_SECOND);
        boolean forgets = false;
        for (Effect effect : step.effects()) {
            carryOut(effect, asker);
            forgets |= effect instanceof Effect.Conclude || effect instanceof Effect.Note(Fact.GenerationGone _);
        }
        if (fleet instanceof Fleet.Ended) {
            ended.clear();
        }
        if (forgets) {
            revisions.keep(fleet, changes);
        }
    }

    private void carryOut(Effect effect, @Nullable Asker asker) {
        switch (effect) {
            case Effect.Spawn(WorkerId worker, int revision) -> spawn(worker, revisions.of(revision));
            case Effect.HandOver(WorkerId worker, Plan plan) ->
                workers.handOver(worker, plan, revisions.of(plan.revision()), board.standing(), spec.table());
            case Effect.Send(WorkerId worker, Order order) -> {
                if (order instanceof Order.Adopt(List<Shard> shards)) {
                    listeners.listen(shards);
                }
                workers.send(worker, order);
            }
            case Effect.Push(WorkerId worker, int revision) -> workers.push(worker, revisions.of(revision));
            case Effect.Signal signal -> workers.signal(signal.worker(), signal.severity());
            case Effect.Load(int reload) -> changes.load(reload);
            case Effect.Restore(int reload, Plan plan) -> changes.restore(reload, plan);
            case Effect.Close close -> listeners.close(close.shards());
            case Effect.Schedule(int reload) -> {
                changes.scheduled(reload);
                operators.waitsForReload(asker, reload);
            }
            case Effect.Conclude conclude -> {
                if (conclude.reload() == 0 && conclude.verdict() instanceof Verdict.Kept(Cause cause)
                        && cause.reason() != Reason.DRAINING) {
                    startFailure = Optional.of(cause);
                }
                Optional<Order.Identify> shown = handover.shown();
                Conclusion conclusion = changes.concluded(conclude.reload(), conclude.verdict());
                handover.concluded(conclude.verdict(), shown);
                spec.observer().concluded(conclusion);
                operators.concluded(conclusion, servingWorkers(), servingGeneration(), now());
            }
            case Effect.Publish(Condition condition) -> publish(condition);
            case Effect.Note(Fact fact) -> noted(fact);
            case Effect.Finish finish -> code = finish.code();
        }
    }

    private void spawn(WorkerId worker, Revisions.Revision revision) {
        try {
            counts.started(worker);
            workers.spawn(worker,
                    spec.launches().of(revision.config(), workers.controlSocket(), fleet.hasStandIn(worker)),
                    revision);
        } catch (IOException | ConfigurationRefusal failed) {
            counts.ended(worker);
            arrived(new Event.SpawnFailed(now(), worker, String.valueOf(failed.getMessage())));
        }
    }

    private void noted(Fact fact) {
        if (fact instanceof Fact.WorkerSurvived(WorkerId survivor)) {
            board.gone(survivor);
            handover.gone(survivor);
        }
        OptionalInt pid = switch (fact) {
            case Fact.WorkerStarted(WorkerId worker) -> workers.pid(worker);
            case Fact.WorkerReady(WorkerId worker) -> workers.pid(worker);
            case Fact.WorkerSilent(WorkerId worker) -> workers.pid(worker);
            case Fact.WorkerSurvived(WorkerId worker) -> workers.pid(worker);
            case Fact.WorkerExited(WorkerId worker, _) -> pidOfEnded(worker);
            default -> OptionalInt.empty();
        };
        spec.observer().noted(fact, pid);
    }

    private OptionalInt pidOfEnded(WorkerId worker) {
        Integer pid = ended.remove(worker);
        return pid == null ? OptionalInt.empty() : OptionalInt.of(pid);
    }

    private void publish(Condition condition) {
        spec.observer().published(condition, condition == Condition.FAILED ? failure() : Optional.empty(),
                !(fleet instanceof Fleet.Running));
        operators.published(condition, now());
    }

    /// A first start that fails with no process left to wait for is over in the step that says so: then its verdict is why.
    private Optional<Cause> failure() {
        return fleet instanceof Fleet.Ending ending ? ending.failure() : startFailure;
    }

    /// What workers say.
    private final class Hearing implements WorkerHandle.Hearing {
        @Override
        public void reported(WorkerHandle worker, Report report) {
            if (report instanceof Report.MetricsSnapshot snapshot) {
                counts.heard(worker.id(), snapshot);
            } else if (report instanceof Report.Identified identified) {
                handover.heard(worker.id(), identified);
            } else if (report instanceof Report.Posted posted) {
                posted(worker.id(), posted);
            } else {
                arrived(new Event.Reported(now(), worker.id(), report));
            }
        }

        /// A process that ends closes its channel first: how it ended says more, and comes within moments.
        @Override
        public void ended(WorkerHandle worker, String how, boolean gone) {
            if (gone) {
                lost.put(worker.id(), new Loss(how, now().plus(LOSS_MAX)));
            } else {
                arrived(new Event.ChannelClosed(now(), worker.id(), how));
            }
        }
    }

    // Operators

    private void asked(Asker asker, OperatorRequest request) {
        switch (request.command()) {
            case STATUS, READY -> asker.answer(OperatorReplies.status(request, status()), now());
            case RELOAD -> arrivals.add(new Arrival(new Event.ReloadRequested(now()), asker));
            case ROLLBACK -> arrivals.add(new Arrival(new Event.RollbackRequested(now()), asker));
            case RENEW -> renew(asker, false);
            case FORCE_RENEWAL -> renew(asker, true);
            case DRAIN -> arrivals.add(new Arrival(new Event.DrainRequested(now()), asker));
            case STOP -> {
                operators.waitsForStop(asker);
                arrived(new Event.StopRequested(now()));
            }
        }
    }

    private void renew(Asker asker, boolean force) {
        var _ = spec.identities().renew(force).whenComplete((reply, failed) -> mailbox.put(() -> asker.answer(
                failed == null ? reply : OperatorReplies.refused("renew: " + failed.getMessage()), now())));
    }

    private FleetStatus status() {
        return FleetStatus.of(fleet,
                new FleetStatus.Service(begun, workers.processes(), listeners.urls(ListenerRole.SERVICE),
                        listeners.urls(ListenerRole.REDIRECT), spec.identities().shown(),
                        spec.identities().amiss(),
                        WorkerLimits.of(servingConfig(), servingWorkers())),
                now());
    }

    private ServeryConfig servingConfig() {
        return revisions.of(changes.serving()).config();
    }

    private int servingWorkers() {
        return servingConfig().runtime().workers(spec.processors());
    }

    private Optional<Integer> servingGeneration() {
        return fleet instanceof Fleet.Running(Front.Open(Generation.Serving serving, _), _, _)
                ? Optional.of(serving.number())
                : Optional.empty();
    }

    /// Lets go of everything that it made itself.
    @Override
    public void close() {
        mailbox.close();
        operators.close();
        workers.close();
        poller.close();
    }
}
