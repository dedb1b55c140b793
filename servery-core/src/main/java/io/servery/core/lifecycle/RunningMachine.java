package io.servery.core.lifecycle;

import io.servery.core.control.Report;
import io.servery.core.control.Shard;
import io.servery.core.lifecycle.AssignmentMachine.Wanted;
import io.servery.core.lifecycle.Event.Change;
import io.servery.core.lifecycle.Event.ConfigurationAccepted;
import io.servery.core.lifecycle.Event.ConfigurationRefused;
import io.servery.core.lifecycle.Event.DrainRequested;
import io.servery.core.lifecycle.Event.MovesWorker;
import io.servery.core.lifecycle.Event.ReloadRequested;
import io.servery.core.lifecycle.Event.Reported;
import io.servery.core.lifecycle.Event.RollbackRequested;
import io.servery.core.lifecycle.Event.StopRequested;
import io.servery.core.lifecycle.Event.StopSignalled;
import io.servery.core.lifecycle.Fleet.Running;
import io.servery.core.lifecycle.Front.Open;
import io.servery.core.lifecycle.Front.Opening;
import io.servery.core.lifecycle.Front.Withdrawn;
import io.servery.core.lifecycle.Generation.Candidate;
import io.servery.core.lifecycle.Generation.Retired;
import io.servery.core.lifecycle.Generation.Serving;
import io.servery.core.lifecycle.Reload.Bringing;
import io.servery.core.lifecycle.Reload.Idle;
import io.servery.core.lifecycle.Reload.Kind;
import io.servery.core.lifecycle.Reload.Loading;
import io.servery.core.lifecycle.Reload.Request;
import io.servery.core.lifecycle.Reload.Stage;
import io.servery.core.lifecycle.Worker.InService;
import io.servery.core.lifecycle.Worker.Starting;
import io.servery.core.lifecycle.Worker.Unready;
import io.servery.core.reason.Reason;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// One step of a running service: what serves, the change under way, and what leaves.
///
/// An event moves what it concerns; then everything is brought to where it can be by now ([#settled]): the next change
/// begins, a worker that is due is replaced, shards find their readers, readiness is published. A heartbeat with nothing new
/// in it changes none of that, and is most of what an idle parent hears: it moves one moment and nothing else.
final class RunningMachine {
    /// With one more, the next change waits for the oldest to be gone, at its deadline at the latest.
    static final int GENERATIONS_MAX = 3;

    private final Turn turn;
    private final Offspring offspring;
    private Front front;
    private Stage stage;
    private Optional<Request> next;
    private Optional<Cause> failure = Optional.empty();

    private RunningMachine(Running before, Turn turn) {
        this.turn = turn;
        this.offspring = new Offspring(before.tree(), turn);
        this.front = before.front();
        this.stage = before.reload().stage();
        this.next = before.reload().next();
    }

    static Fleet started(Plan plan, Turn turn) {
        Offspring offspring = new Offspring(Tree.empty(), turn);
        Candidate first = new GenerationMachine(plan, turn).begun(offspring.nextGeneration());
        Stage stage = new Bringing(new Request(0, Kind.START), first);
        Running running = new Running(new Opening(), new Reload(stage, Optional.empty()),
                offspring.tree(Condition.STOPPED));
        return new RunningMachine(running, turn).settled();
    }

    static Fleet step(Running before, Event event, Turn turn) {
        return before.front() instanceof Open(Serving serving, Optional<Plan> previous)
                && event instanceof Reported(Moment at, WorkerId worker, Report.Heartbeat beat)
                && serving.saysAgain(worker, beat)
                        ? new Running(new Open(serving.heardAgain(worker, beat, at), previous), before.reload(),
                                before.tree())
                        : new RunningMachine(before, turn).stepped(event);
    }

    private Fleet stepped(Event event) {
        switch (event) {
            case MovesWorker one -> move(one);
            case ReloadRequested _ -> request(Kind.RELOAD);
            case RollbackRequested _ -> request(Kind.ROLLBACK);
            case ConfigurationAccepted accepted -> accept(accepted);
            case ConfigurationRefused refused -> refuse(refused);
            case DrainRequested _ -> withdraw();
            case StopRequested _,StopSignalled _ -> {
                return ended(Optional.empty(), turn.now(), true);
            }
        }
        return failure.isPresent() ? ended(failure, turn.now(), false) : settled();
    }

    // Workers

    private void move(MovesWorker event) {
        offspring.move(event);
        if (front instanceof Open open) {
            front = new Open(decided(ServingMachine.step(open.serving(), event, turn)), open.previous());
        }
        if (stage instanceof Loading(Request request, Moment until) && turn.reached(until)) {
            keep(request, new Cause(Reason.INVALID_CONFIG, "the configuration was not loaded within "
                    + Reload.LOAD_MAX.toSeconds() + " s"));
        }
        if (stage instanceof Bringing(Request request, Candidate candidate)) {
            switch (new GenerationMachine(candidate.plan(), turn).step(candidate, event)) {
                case Candidate still -> stage = new Bringing(request, still);
                case Serving serving -> promote(request, serving);
                case Retired failed -> {
                    offspring.add(failed);
                    keep(request, failed.failure().orElseThrow());
                }
            }
        }
    }

    /// A slot that ended once too often: the configuration before is brought back if this one brought the loop, else the
    /// slot is given up.
    private Serving decided(Serving serving) {
        Serving decided = serving;
        for (Slot slot : serving.slots()) {
            if (slot.occupancy() instanceof Slot.Looping(Cause last)) {
                decided = decided(decided, slot, crashLoop(serving, last));
            }
        }
        return decided;
    }

    private Serving decided(Serving serving, Slot slot, Cause loop) {
        if (isRecovering() || isOfReload(serving)) {
            if (!isRecovering()) {
                turn.note(new Fact.CrashLooped(serving.number(), loop));
                ask(Kind.RECOVERY);
            }
            Moment again = turn.now().plus(serving.plan().restarts().backoffMax());
            return serving.withSlot(slot.with(new Slot.Waiting(again, loop)));
        }
        turn.note(new Fact.CrashLooped(serving.number(), loop));
        turn.note(new Fact.SlotGivenUp(slot.number(), loop));
        return serving.withSlot(slot.with(new Slot.GivenUp(loop))).forgiven(slot.number());
    }

    private static Cause crashLoop(Serving serving, Cause last) {
        Plan.RestartPolicy policy = serving.plan().restarts();
        return new Cause(Reason.CRASH_LOOP, "more than " + policy.limit() + " workers ended within "
                + policy.window().toMillis() / 1000.0 + " s; the last: " + last.text());
    }

    private boolean isRecovering() {
        Stream<Request> under = switch (stage) {
            case Idle _ -> Stream.empty();
            case Loading(Request request, _) -> Stream.of(request);
            case Bringing(Request request, _) -> Stream.of(request);
        };
        return Stream.concat(under, next.stream()).anyMatch(request -> request.kind() == Kind.RECOVERY);
    }

    /// Whether the first exit that counts came soon after the generation, and there is one to go back to.
    private boolean isOfReload(Serving serving) {
        return front.rollback().isPresent() && serving.exits().getFirst().at().since(serving.since())
                .compareTo(serving.plan().restarts().window()) <= 0;
    }

    // Changes

    private void request(Kind kind) {
        if (next.isPresent() && next.get().kind() == kind) {
            turn.add(new Effect.Schedule(next.get().number()));
        } else {
            ask(kind);
        }
    }

    private void ask(Kind kind) {
        next.ifPresent(waiting -> conclude(waiting, new Verdict.Superseded()));
        next = Optional.of(new Request(offspring.nextReload(), kind));
    }

    private void beginNext() {
        while (stage instanceof Idle && next.isPresent() && hasRoom()) {
            Request request = next.get();
            next = Optional.empty();
            turn.note(new Fact.ReloadStarted(request.number(), request.kind()));
            stage = new Loading(request, turn.now().plus(Reload.LOAD_MAX));
            switch (request.kind()) {
                case RELOAD -> turn.add(new Effect.Load(request.number()));
                case ROLLBACK, RECOVERY -> front.rollback().ifPresentOrElse(
                        plan -> turn.add(new Effect.Restore(request.number(), plan)),
                        () -> keep(request, new Cause(Reason.INVALID_CONFIG, "no configuration before was good")));
                case START -> throw new IllegalStateException("reload: found " + request);
            }
        }
    }

    private boolean hasRoom() {
        int serving = front instanceof Open ? 1 : 0;
        return offspring.retiredGenerations() + serving < GENERATIONS_MAX;
    }

    private void accept(ConfigurationAccepted accepted) {
        if (!(stage instanceof Loading(Request request, _)) || request.number() != accepted.reload()) {
            offspring.know(accepted.plan());
        } else if (accepted.change() == Change.HOT && request.kind() == Kind.RELOAD && front instanceof Open open
                && open.serving().plan().suits(accepted.plan())) {
            push(request, open, accepted.plan());
        } else {
            stage = new Bringing(request,
                    new GenerationMachine(accepted.plan(), turn).begun(offspring.nextGeneration()));
        }
    }

    private void refuse(ConfigurationRefused refused) {
        if (stage instanceof Loading(Request request, _) && request.number() == refused.reload()) {
            keep(request, refused.cause());
        }
    }

    private void push(Request request, Open open, Plan plan) {
        open.serving().workers()
                .filter(worker -> worker instanceof InService
                        || (worker instanceof Unready && !(worker instanceof Starting)))
                .forEach(worker -> turn.add(new Effect.Push(worker.id(), plan.revision())));
        front = new Open(open.serving().withPlan(plan), Optional.of(open.serving().plan()));
        stage = new Idle();
        conclude(request, new Verdict.Pushed(plan.revision()));
    }

    private void promote(Request request, Serving serving) {
        Optional<Plan> previous = request.kind() == Kind.RELOAD ? front.current() : Optional.empty();
        Cause why = new Cause(Reason.CLEAN_EXIT, "generation " + serving.number() + " serves");
        if (request.kind() == Kind.RELOAD && front instanceof Open(Serving before, _)) {
            offspring.add(new GenerationMachine(before.plan(), turn).relieved(before, why));
        } else {
            retireFront(why); // what is rolled back is wanted no more
        }
        front = new Open(serving, previous);
        stage = new Idle();
        int revision = serving.plan().revision();
        conclude(request, switch (request.kind()) {
            case START, RELOAD -> new Verdict.Serving(serving.number(), revision);
            case ROLLBACK, RECOVERY -> new Verdict.RolledBack(serving.number(), revision);
        });
        next.filter(waiting -> waiting.kind() == Kind.RECOVERY).ifPresent(moot -> {
            conclude(moot, new Verdict.Superseded());
            next = Optional.empty();
        });
    }

    /// The change came to nothing; what served serves on.
    private void keep(Request request, Cause cause) {
        stage = new Idle();
        conclude(request, new Verdict.Kept(cause));
        switch (request.kind()) {
            case START -> failure = Optional.of(cause);
            case RECOVERY -> {
                if (front instanceof Open(Serving serving, _)) {
                    front = new Open(serving, Optional.empty());
                }
            }
            case RELOAD, ROLLBACK -> {
            }
        }
    }

    private void conclude(Request request, Verdict verdict) {
        turn.add(new Effect.Conclude(request.number(), verdict));
    }

    // Ends

    private void withdraw() {
        cancel("the service was told to drain");
        Front withdrawn = new Withdrawn(front.current(), front.rollback());
        retireFront(new Cause(Reason.CLEAN_EXIT, "the service was told to drain"));
        front = withdrawn;
    }

    private void retireFront(Cause why) {
        if (front instanceof Open(Serving serving, _)) {
            offspring.add(new GenerationMachine(serving.plan(), turn).retired(serving, why));
        }
    }

    private void cancel(String why) {
        Cause cause = new Cause(Reason.DRAINING, why);
        switch (stage) {
            case Idle _ -> {
            }
            case Loading(Request request, _) -> conclude(request, new Verdict.Kept(cause));
            case Bringing(Request request, Candidate candidate) -> {
                offspring.add(new GenerationMachine(candidate.plan(), turn).discarded(candidate, cause));
                conclude(request, new Verdict.Kept(cause));
            }
        }
        next.ifPresent(request -> conclude(request, new Verdict.Kept(cause)));
        stage = new Idle();
        next = Optional.empty();
    }

    private Fleet ended(Optional<Cause> why, Moment until, boolean stopped) {
        cancel("the service is going away");
        retireFront(new Cause(Reason.CLEAN_EXIT, "the service is going away"));
        return EndingMachine.begun(offspring, why, until, stopped, turn);
    }

    // What can be done by now

    private Fleet settled() {
        beginNext();
        boolean steady = stage instanceof Idle && next.isEmpty();
        if (steady && front instanceof Open(Serving serving, Optional<Plan> previous)) {
            if (!serving.canHaveQuorum()) {
                return ended(Optional.of(tooFew(serving)), turn.now().plus(EndingMachine.LINGER), false);
            }
            front = new Open(ServingMachine.recycled(serving, turn), previous);
        }
        offspring.settle(wanted());
        Reload reload = new Reload(stage, next);
        Running running = new Running(front, reload, offspring.tree(Condition.STOPPED));
        return new Running(front, reload, offspring.tree(offspring.published(running.condition())));
    }

    private Wanted wanted() {
        Set<Shard> read = new TreeSet<>();
        List<Optional<WorkerId>> holders = List.of();
        Stream<Worker> workers = offspring.leaving();
        if (front instanceof Open(Serving serving, _)) {
            read.addAll(serving.plan().shards());
            holders = serving.holders();
            workers = Stream.concat(workers, serving.workers());
        }
        Set<Shard> bound = new TreeSet<>(read);
        if (stage instanceof Bringing(_, Candidate candidate)) {
            bound.addAll(candidate.plan().shards());
        }
        return new Wanted(read, bound, holders, Offspring.standings(workers));
    }

    private static Cause tooFew(Serving serving) {
        String last = serving.slots().stream()
                .flatMap(slot -> slot.occupancy() instanceof Slot.GivenUp(Cause cause)
                        ? Stream.of(cause.text())
                        : Stream.<String>empty())
                .reduce((_, later) -> later).orElse("");
        return new Cause(Reason.CRASH_LOOP, "fewer than " + serving.plan().minimumWorkers()
                + " workers can be kept running: " + last);
    }
}
