package io.servery.core.lifecycle;

import io.servery.core.control.Order;
import io.servery.core.control.Shard;
import io.servery.core.lifecycle.Assignment.Closing;
import io.servery.core.lifecycle.Assignment.Moving;
import io.servery.core.lifecycle.Assignment.ReadBy;
import io.servery.core.lifecycle.Assignment.Reading;
import io.servery.core.lifecycle.Assignment.Unread;
import io.servery.core.lifecycle.Event.ConfigurationAccepted;
import io.servery.core.lifecycle.Event.Exited;
import io.servery.core.lifecycle.Event.SpawnFailed;
import io.servery.core.lifecycle.Fleet.Ended;
import io.servery.core.lifecycle.Fleet.Ending;
import io.servery.core.lifecycle.Fleet.Running;
import io.servery.core.lifecycle.Front.Open;
import io.servery.core.lifecycle.Generation.Serving;
import io.servery.core.lifecycle.Worker.Draining;
import io.servery.core.lifecycle.Worker.Killed;
import io.servery.core.lifecycle.Worker.Preparing;
import io.servery.core.lifecycle.Worker.Ready;
import io.servery.core.lifecycle.Worker.Starting;
import io.servery.core.lifecycle.Worker.Terminating;
import io.servery.core.lifecycle.Worker.Unready;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What must hold for every step of the service, whatever led to it: read off the state before, the event, the effects and
/// the state after, and from nothing that the machine says about itself.
final class Promises {
    private final Fleet before;
    private final Event event;
    private final Step step;
    private final Fleet after;
    private final Map<WorkerId, Worker> workersBefore;
    private final Map<WorkerId, Worker> workersAfter;
    private final Set<WorkerId> spawned;

    private Promises(Fleet before, Event event, Step step) {
        this.before = before;
        this.event = event;
        this.step = step;
        this.after = step.next();
        this.workersBefore = byId(before.workers());
        this.workersAfter = byId(after.workers());
        this.spawned = effects(Effect.Spawn.class).map(Effect.Spawn::worker).collect(Collectors.toSet());
    }

    static void check(Fleet before, Event event, Step step) {
        Promises promises = new Promises(before, event, step);
        promises.timeMovesOn();
        promises.effectsAreForWorkersThatAreThere();
        promises.workersLeaveByTheirExit();
        promises.numbersAreBounded();
        promises.whoAsksIsAnsweredOnce();
        promises.oneServesUntilTheNextCan();
        promises.readersAreReady();
        promises.noShardHasTwoReaders();
        promises.noShardOfAReadyServiceIsForgotten();
        promises.shardsEndByBeingClosed();
        promises.conditionIsPublishedWhenItChanges();
        promises.endLeavesNothing();
    }

    private void timeMovesOn() {
        if (event instanceof Event.TimePassed) {
            after.deadline().ifPresent(deadline -> require(deadline.compareTo(event.at()) > 0,
                    "the next deadline is in the past"));
        }
    }

    private void effectsAreForWorkersThatAreThere() {
        Set<Effect.Signal> signalled = new HashSet<>();
        for (Effect effect : step.effects()) {
            switch (effect) {
                case Effect.Spawn(WorkerId worker, _) -> require(!workersBefore.containsKey(worker),
                        "a worker is spawned twice");
                case Effect.HandOver(WorkerId worker, _) -> require(
                        workersBefore.get(worker) instanceof Starting
                                && workersAfter.get(worker) instanceof Preparing,
                        "listeners go to a worker that did not say hello");
                case Effect.Send(WorkerId worker, Order order) -> sent(worker, order);
                case Effect.Push(WorkerId worker, _) -> require(workersBefore.containsKey(worker)
                        && !(workersBefore.get(worker) instanceof Starting), "a push before the configuration");
                case Effect.Signal signal -> {
                    WorkerId worker = signal.worker();
                    require(workersBefore.containsKey(worker) && signalled.add(signal), "a signal to nobody, or two");
                    Worker next = workersAfter.get(worker);
                    require(next instanceof Killed || (next instanceof Terminating
                            && signal.severity() == Effect.Severity.TERM), "a signal that the state does not know of");
                }
                case Effect.Load _,Effect.Restore _,Effect.Close _,Effect.Schedule _,Effect.Conclude _,Effect.Publish _,Effect.Note _,Effect.Finish _ ->
                    {
                    }
            }
        }
    }

    private void sent(WorkerId worker, Order order) {
        require(workersBefore.containsKey(worker), "an order to nobody");
        switch (order) {
            case Order.Commit() -> require(workersAfter.get(worker) instanceof Worker.Committed,
                    "a commit for one that is not prepared");
            case Order.Adopt(List<Shard> shards) -> adopted(worker, shards);
            case Order.Release(_, List<Shard> shards) -> require(
                    shards.stream().allMatch(shard -> isReader(tableBefore().get(shard), worker)),
                    "a release of what it does not read");
            case Order.Drain _ -> require(workersAfter.get(worker) instanceof Draining, "a drain of what serves on");
            case Order.TakeListeners _,Order.Prepare _,Order.Push _,Order.TakeSnapshot _,Order.Identify _,Order.Post _ ->
                fail("an order that is not the machine's to send");
        }
    }

    /// Promise 1: a generation takes traffic when all of it can serve.
    private void adopted(WorkerId worker, List<Shard> shards) {
        Serving serving = serving(after).orElseThrow(() -> error("an adoption while nothing serves"));
        require(serving.number() == worker.generation(), "an adoption by a generation that does not serve");
        require(serving.holders().contains(Optional.of(worker)), "an adoption by a worker that is not ready");
        require(serving.plan().shards().containsAll(shards), "an adoption of what is not configured");
    }

    private void workersLeaveByTheirExit() {
        for (WorkerId worker : workersBefore.keySet()) {
            boolean exited = event instanceof Event.OfWorker one && one.worker().equals(worker)
                    && (one instanceof Exited || one instanceof SpawnFailed);
            boolean survived = step.effects().contains(new Effect.Note(new Fact.WorkerSurvived(worker)));
            require(workersAfter.containsKey(worker) != (exited || survived), "a worker is forgotten, or kept");
        }
        for (WorkerId worker : workersAfter.keySet()) {
            require(workersBefore.containsKey(worker) || spawned.contains(worker), "a worker out of nothing");
        }
        spawned.forEach(worker -> require(workersAfter.get(worker) instanceof Starting, "a spawn without its state"));
    }

    /// Promise 3: nothing grows without a bound.
    private void numbersAreBounded() {
        List<Generation> generations = after.generations().toList();
        require(generations.size() <= RunningMachine.GENERATIONS_MAX, "too many generations");
        for (Generation generation : generations) {
            require(generation.workers().count() <= generation.plan().workers() + 1, "too many workers");
        }
        serving(after).ifPresent(serving -> require(
                serving.exits().size() <= serving.plan().restarts().limit() + 1,
                "exits are kept without end"));
    }

    private void whoAsksIsAnsweredOnce() {
        List<Integer> open = new ArrayList<>(pending(before));
        if (event instanceof Event.ReloadRequested || event instanceof Event.RollbackRequested) {
            require(effects(Effect.Schedule.class).count() == 1, "a request without its number");
        }
        effects(Effect.Schedule.class).map(Effect.Schedule::reload).filter(number -> !open.contains(number))
                .forEach(open::add);
        effects(Effect.Note.class).forEach(note -> {
            if (note.fact() instanceof Fact.CrashLooped && pending(after).size() > open.size()) {
                fail("a recovery that nobody scheduled");
            }
        });
        for (Effect.Conclude conclude : effects(Effect.Conclude.class).toList()) {
            require(open.removeIf(number -> number == conclude.reload()), "a verdict for nobody");
        }
        require(Set.copyOf(open).equals(Set.copyOf(pending(after))), "a request is lost");
    }

    /// Promise 1: what served before serves until then.
    private void oneServesUntilTheNextCan() {
        Optional<Serving> was = serving(before);
        Optional<Serving> is = serving(after);
        if (is.isPresent() && !was.map(Serving::number).equals(is.map(Serving::number))) {
            require(is.get().slots().stream().allMatch(slot -> slot.holder().isPresent()),
                    "a generation serves before all of it is ready");
        }
        if (was.isPresent() && is.isEmpty()) {
            boolean asked = event instanceof Event.DrainRequested || event instanceof Event.StopRequested
                    || event instanceof Event.StopSignalled;
            boolean failed = after instanceof Ending ending && ending.failure().isPresent();
            require(asked || failed, "what served is gone, and nothing serves instead");
        }
        if (was.isPresent() && is.isPresent() && was.get().number() != is.get().number()) {
            require(after.generations().noneMatch(one -> one.number() == was.get().number()
                    && !(one instanceof Generation.Retired)), "the old generation is not on its way out");
        }
    }

    private void readersAreReady() {
        tableAfter().forEach((shard, reading) -> {
            switch (reading) {
                case Unread _ -> {
                }
                case ReadBy(WorkerId reader) -> require(workersAfter.containsKey(reader), "a dead reader of " + shard);
                case Moving(WorkerId reader, _, _) -> require(answers(reader), "a release that nobody confirms");
                case Closing(WorkerId reader, _) -> require(answers(reader), "a drain by nobody of " + shard);
            }
        });
    }

    private void noShardHasTwoReaders() {
        Set<Shard> adopted = new HashSet<>();
        effects(Effect.Send.class).forEach(send -> {
            if (send.order() instanceof Order.Adopt(List<Shard> shards)) {
                for (Shard shard : shards) {
                    require(adopted.add(shard), "two adoptions of " + shard);
                    require(isFree(shard), "an adoption of what another reads: " + shard);
                }
            }
        });
    }

    /// Whether the reader before is none, has confirmed its release, is dead, or had its time.
    private boolean isFree(Shard shard) {
        Reading reading = tableBefore().get(shard);
        return switch (reading) {
            case null -> true;
            case Unread _ -> true;
            case ReadBy(WorkerId reader) -> !answers(reader) || confirms(reader, shard);
            case Moving(WorkerId reader, _, Moment until) ->
                !answers(reader) || confirms(reader, shard) || until.isReached(event.at());
            case Closing(WorkerId reader, _) -> !answers(reader) || confirms(reader, shard);
        };
    }

    private boolean confirms(WorkerId reader, Shard shard) {
        return event instanceof Event.Reported(_, WorkerId worker, io.servery.core.control.Report.Released report)
                && worker.equals(reader) && report.shards().contains(shard);
    }

    private boolean answers(WorkerId reader) {
        Worker worker = workersAfter.get(reader);
        return worker instanceof Ready || worker instanceof Draining || worker instanceof Unready;
    }

    /// Never without a reader while a worker is ready, but for the moment between a release and its confirmation.
    private void noShardOfAReadyServiceIsForgotten() {
        serving(after).filter(serving -> serving.holders().stream().anyMatch(Optional::isPresent))
                .ifPresent(serving -> serving.plan().shards().forEach(shard -> {
                    Reading reading = tableAfter().get(shard);
                    require(reading instanceof Moving || (reading instanceof ReadBy(WorkerId reader)
                            && workersAfter.get(reader) instanceof Ready), "nobody reads " + shard + ": " + reading);
                    require(!(reading instanceof Moving(_, _, Moment until))
                            || until.since(event.at()).compareTo(AssignmentMachine.RELEASE_MAX) <= 0,
                            "a release without end");
                }));
    }

    private void shardsEndByBeingClosed() {
        List<Shard> closed = effects(Effect.Close.class).flatMap(close -> close.shards().stream()).toList();
        Set<Shard> known = new HashSet<>(tableBefore().keySet());
        if (event instanceof ConfigurationAccepted accepted) {
            known.addAll(accepted.plan().shards());
        }
        require(Set.copyOf(closed).size() == closed.size(), "a shard is closed twice");
        Set<Shard> gone = new HashSet<>(known);
        gone.removeAll(tableAfter().keySet());
        require(gone.equals(Set.copyOf(closed)), "shards are closed that are not gone, or the other way: " + closed);
        serving(after).ifPresent(serving -> require(tableAfter().keySet().containsAll(serving.plan().shards()),
                "an address of what serves is closed"));
    }

    private void conditionIsPublishedWhenItChanges() {
        List<Condition> published = effects(Effect.Publish.class).map(Effect.Publish::condition).toList();
        Condition is = after.condition();
        boolean failedAndOver = published.equals(List.of(Condition.FAILED, Condition.STOPPED))
                && is == Condition.STOPPED
                && before.condition() != Condition.FAILED;
        require(before.condition() == is ? published.isEmpty() : published.equals(List.of(is)) || failedAndOver,
                "published " + published + " from " + before.condition() + " to " + is);
        if (is == Condition.READY) {
            Serving serving = serving(after).orElseThrow(() -> error("ready without a generation"));
            long ready = serving.workers().filter(Ready.class::isInstance).count();
            require(ready >= serving.plan().minimumWorkers(), "ready with " + ready);
        }
    }

    private void endLeavesNothing() {
        boolean finished = effects(Effect.Finish.class).findAny().isPresent();
        require(finished == (after instanceof Ended && !(before instanceof Ended)), "finished, or not");
        if (finished) {
            require(step.effects().getLast() instanceof Effect.Finish, "something after the end");
            require(tableAfter().isEmpty() && workersAfter.isEmpty(), "something is left");
        }
    }

    // Reading states

    private static List<Integer> pending(Fleet fleet) {
        return Outcomes.requests(fleet).map(Reload.Request::number).toList();
    }

    private static Optional<Serving> serving(Fleet fleet) {
        return fleet instanceof Running(Open(Serving serving, _), _, _) ? Optional.of(serving) : Optional.empty();
    }

    private SortedMap<Shard, Reading> tableBefore() {
        return table(before);
    }

    private SortedMap<Shard, Reading> tableAfter() {
        return table(after);
    }

    static SortedMap<Shard, Reading> table(Fleet fleet) {
        return switch (fleet) {
            case Running running -> running.tree().shards().table();
            case Ending ending -> ending.tree().shards().table();
            case Ended _ -> new TreeMap<>();
        };
    }

    private static boolean isReader(@Nullable Reading reading, WorkerId worker) {
        return switch (reading) {
            case null -> false;
            case Unread _ -> false;
            case ReadBy(WorkerId reader) -> reader.equals(worker);
            case Moving(WorkerId reader, _, _) -> reader.equals(worker);
            case Closing(WorkerId reader, _) -> reader.equals(worker);
        };
    }

    private static Map<WorkerId, Worker> byId(Stream<Worker> workers) {
        return workers.collect(Collectors.toMap(Worker::id, Function.identity(), (one, two) -> {
            throw new AssertionError("two workers of one identity: " + one + ", " + two);
        }, LinkedHashMap::new));
    }

    private <E extends Effect> Stream<E> effects(Class<E> type) {
        return step.effects().stream().filter(type::isInstance).map(type::cast);
    }

    private void require(boolean condition, String otherwise) {
        if (!condition) {
            fail(otherwise);
        }
    }

    private void fail(String what) {
        throw error(what);
    }

    private AssertionError error(String what) {
        return new AssertionError(what + "\n  before  " + before + "\n  event   " + event + "\n  effects "
                + step.effects() + "\n  after   " + after);
    }
}
