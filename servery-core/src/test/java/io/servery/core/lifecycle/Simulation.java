package io.servery.core.lifecycle;

import io.servery.core.control.Report;
import io.servery.core.control.Shard;
import io.servery.core.lifecycle.Event.Change;
import io.servery.core.lifecycle.Event.ConfigurationAccepted;
import io.servery.core.lifecycle.Event.ConfigurationRefused;
import io.servery.core.lifecycle.Fleet.Ended;
import io.servery.core.lifecycle.Fleet.Running;
import io.servery.core.lifecycle.Plan.Recycling;
import io.servery.core.lifecycle.Plan.RestartPolicy;
import io.servery.core.lifecycle.Plan.Timing;
import io.servery.core.reason.Reason;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// One life of a service on a host of fake processes and a fake clock, all of it drawn from a seed: workers that start
/// slowly, fail at any step, crash, stand still, ignore TERM; reloads, rollbacks, drains and stops at any moment.
///
/// The parent's side is a loop as the real one is: what happened first, time last.
final class Simulation {
    static final Timing TIMING = new Timing(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofSeconds(1),
            Duration.ofSeconds(3));
    static final RestartPolicy RESTARTS = new RestartPolicy(Duration.ofMillis(250), Duration.ofSeconds(2), 3,
            Duration.ofSeconds(8), Duration.ofSeconds(4));
    private static final Duration LIFE = Duration.ofSeconds(20);
    /// Readers are looked at after everything out of the ordinary, and so often.
    private static final Duration CHECK = Duration.ofMillis(200);
    /// So long a shard of a service with a worker that is well may be without a reader that is: one that falls silent costs
    /// a second, a release that it does not confirm another, and what adopts may fall silent too.
    private static final Duration UNREAD_MAX = Duration.ofSeconds(5);

    private final Random random;
    private final Outcomes outcomes;
    private final int trouble;
    private final int firstBad;
    private final PriorityQueue<Happening> happenings = new PriorityQueue<>();
    private final Deque<Event> noticed = new ArrayDeque<>();
    private final Map<WorkerId, FakeProcess> processes = new TreeMap<>();
    private final Map<Shard, Moment> unreadSince = new HashMap<>();
    private final List<Entry> diary = new ArrayList<>();
    private Moment now = new Moment(Long.MAX_VALUE - Duration.ofSeconds(5).toNanos());
    private Fleet fleet;
    private Moment healthySince = now;
    private Moment stopBy = now;
    private int revisions = 1;
    private Moment checked = now;
    private boolean eventful;
    private long order;
    private int steps;

    private record Happening(Moment at, long order, Runnable what) implements Comparable<Happening> {
        @Override
        public int compareTo(Happening other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    /// What happened, for who looks into a failure.
    private record Entry(Event event, List<Effect> effects) {
    }

    /// @param outcomes told what comes of each step
    Simulation(long seed, Outcomes outcomes) {
        this.outcomes = outcomes;
        random = new Random(seed);
        trouble = random.nextInt(FakeProcess.TROUBLE_MAX + 1);
        firstBad = random.nextInt(4);
        Step first = Fleet.start(plan(), now);
        fleet = first.next();
        first.effects().forEach(this::carryOut);
    }

    /// Lives to the end.
    ///
    /// @return how many steps it took
    int run() {
        for (int i = random.nextInt(6); i > 0; i--) {
            after(Duration.ofMillis(random.nextInt((int) LIFE.toMillis())), this::operate);
        }
        after(LIFE, this::stop);
        try {
            while (!(fleet instanceof Ended)) {
                turn();
            }
            checkEnd();
        } catch (AssertionError | RuntimeException e) {
            List<Entry> latest = diary.subList(Math.max(0, diary.size() - 40), diary.size());
            throw new AssertionError(e.getMessage() + "\n  what came before\n"
                    + latest.stream().map(Entry::toString).collect(Collectors.joining("\n")), e);
        }
        return steps;
    }

    // The loop of the parent

    private void turn() {
        Moment wake = fleet.deadline().map(deadline -> happenings.isEmpty()
                ? deadline
                : deadline.orEarlier(happenings.peek().at())).orElseGet(() -> {
                    if (happenings.isEmpty()) {
                        throw new AssertionError("nothing will ever happen: " + fleet);
                    }
                    return happenings.peek().at();
                });
        now = wake.compareTo(now) > 0 ? wake : now;
        while (!happenings.isEmpty() && happenings.peek().at().isReached(now)) {
            happenings.poll().what().run();
        }
        while (!noticed.isEmpty() && !(fleet instanceof Ended)) {
            step(noticed.poll());
        }
        if (fleet.deadline().filter(deadline -> deadline.isReached(now)).isPresent()) {
            step(new Event.TimePassed(now));
        }
        if (eventful || now.since(checked).compareTo(CHECK) >= 0) {
            eventful = false;
            checked = now;
            checkReaders();
        }
    }

    private void step(Event event) {
        Step step = fleet.step(event);
        steps++;
        boolean routine = event instanceof Event.Reported(_, _, Report.Heartbeat _) && step.effects().isEmpty();
        if (!routine) {
            eventful = true;
            diary.add(new Entry(event, step.effects()));
            Promises.check(fleet, event, step);
            outcomes.add(fleet, event, step);
        }
        fleet = step.next();
        step.effects().forEach(this::carryOut);
    }

    private void carryOut(Effect effect) {
        switch (effect) {
            case Effect.Spawn(WorkerId worker, int revision) ->
                processes.put(worker, new FakeProcess(this, worker, trouble, trouble > 0 && isBad(revision)));
            case Effect.HandOver(WorkerId worker, _) -> processes.get(worker).prepare();
            case Effect.Send(WorkerId worker, var one) -> processes.get(worker).obey(one);
            case Effect.Signal(WorkerId worker, Effect.Severity severity) -> processes.get(worker).signal(severity);
            case Effect.Load(int reload) -> after(Duration.ofMillis(random.nextInt(300)), () -> loaded(reload));
            case Effect.Restore(int reload, Plan plan) -> after(Duration.ofMillis(random.nextInt(100)),
                    () -> noticed.add(new ConfigurationAccepted(now, reload, plan, Change.GENERATION)));
            case Effect.Push _,Effect.Close _,Effect.Schedule _,Effect.Conclude _,Effect.Publish _,Effect.Note _,Effect.Finish _ ->
                {
                }
        }
    }

    // The operator

    private void operate() {
        noticed.add(switch (random.nextInt(12)) {
            case 0, 1, 2, 3, 4, 5, 6 -> new Event.ReloadRequested(now);
            case 7, 8, 9 -> new Event.RollbackRequested(now);
            case 10 -> new Event.DrainRequested(now);
            default -> new Event.StopRequested(now);
        });
    }

    private void stop() {
        stopBy = now.plus(TIMING.drain()).plus(TIMING.force().multipliedBy(2)).plus(AssignmentMachine.CLOSE_MAX);
        noticed.add(random.nextBoolean() ? new Event.StopRequested(now) : new Event.StopSignalled(now));
        if (random.nextInt(3) == 0) {
            after(Duration.ofMillis(random.nextInt(1_000)), () -> noticed.add(new Event.StopSignalled(now)));
        }
    }

    private void loaded(int reload) {
        Event event = switch (random.nextInt(8)) {
            case 0 -> new ConfigurationRefused(now, reload, new Cause(Reason.INVALID_CONFIG, "a fault"));
            case 1 -> new ConfigurationAccepted(now, reload, hot(), Change.HOT);
            default -> new ConfigurationAccepted(now, reload, plan(), Change.GENERATION);
        };
        noticed.add(event);
    }

    private Plan plan() {
        int workers = 1 + random.nextInt(3);
        List<Shard> shards = new ArrayList<>(Plans.shards(0, workers + 1));
        if (random.nextInt(3) == 0) {
            shards.addAll(Plans.shards(1 + random.nextInt(2), workers));
        }
        Recycling recycling = random.nextInt(4) == 0
                ? new Recycling(Duration.ofSeconds(4), 0.5, 40)
                : Plans.NEVER;
        return new Plan(revisions++, workers, 1 + random.nextInt(workers), 1 + random.nextInt(2), shards, TIMING,
                RESTARTS, recycling);
    }

    private Plan hot() {
        return fleet instanceof Running(Front.Open(Generation.Serving serving, _), _, _)
                ? Plans.revision(serving.plan(), revisions++)
                : plan();
    }

    /// Some configurations are such that their workers crash again and again; in some lives the first is.
    private boolean isBad(int revision) {
        return (revision + firstBad) % 4 == 0;
    }

    // For processes

    Random random() {
        return random;
    }

    Moment now() {
        return now;
    }

    void after(Duration delay, Runnable what) {
        happenings.add(new Happening(now.plus(delay), order++, what));
    }

    void notice(Event event) {
        noticed.add(event);
    }

    int eventLoops(WorkerId worker) {
        return fleet.generations().filter(generation -> generation.number() == worker.generation()).findFirst()
                .map(generation -> generation.plan().eventLoops()).orElse(1);
    }

    // Promises that hold over time

    /// Each shard has at most one reader that is well and was not told otherwise, and is not long without one.
    private void checkReaders() {
        List<FakeProcess> well = processes.values().stream().filter(FakeProcess::isWell).toList();
        if (!(fleet instanceof Running(Front.Open(Generation.Serving serving, _), _, _)) || serving.holders().stream()
                .flatMap(Optional::stream).noneMatch(holder -> processes.get(holder).isWell())) {
            healthySince = now;
        }
        Set<Shard> served = fleet instanceof Running(Front.Open(Generation.Serving serving, _), _, _)
                ? Set.copyOf(serving.plan().shards())
                : Set.of();
        unreadSince.keySet().retainAll(served);
        Promises.table(fleet).keySet().forEach(shard -> {
            long readers = well.stream().filter(process -> process.reads(shard)).count();
            if (readers > 1) {
                throw new AssertionError(shard + " has " + readers + " readers");
            }
            if (readers == 1 || !unreadSince.containsKey(shard)) {
                unreadSince.put(shard, now);
            }
        });
        served.forEach(this::checkUnread);
    }

    private void checkUnread(Shard shard) {
        Moment since = unreadSince.get(shard);
        Moment from = since.compareTo(healthySince) > 0 ? since : healthySince;
        if (now.since(from).compareTo(UNREAD_MAX) > 0) {
            throw new AssertionError("nobody reads " + shard + " for " + now.since(from));
        }
    }

    private void checkEnd() {
        processes.values().forEach(process -> {
            if (!process.isDead() && !process.isUnkillable()) {
                throw new AssertionError("a process is left: " + process);
            }
        });
        if (stopBy.compareTo(now) < 0 && stopBy.compareTo(new Moment(Long.MAX_VALUE)) > 0) {
            throw new AssertionError("the end came late: " + now.since(stopBy));
        }
    }
}
