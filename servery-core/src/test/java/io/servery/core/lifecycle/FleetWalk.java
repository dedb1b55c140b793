package io.servery.core.lifecycle;

import io.servery.core.control.Bounds;
import io.servery.core.control.Report;
import io.servery.core.control.Shard;
import io.servery.core.lifecycle.Event.Change;
import io.servery.core.lifecycle.Event.ChannelClosed;
import io.servery.core.lifecycle.Event.ConfigurationAccepted;
import io.servery.core.lifecycle.Event.ConfigurationRefused;
import io.servery.core.lifecycle.Event.Exited;
import io.servery.core.lifecycle.Event.Reported;
import io.servery.core.lifecycle.Event.SpawnFailed;
import io.servery.core.lifecycle.Event.TimePassed;
import io.servery.core.lifecycle.Fleet.Ended;
import io.servery.core.lifecycle.Fleet.Ending;
import io.servery.core.lifecycle.Fleet.Running;
import io.servery.core.reason.Reason;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/// Walks every state that a service of a given plan can come to, by every event that can happen in it, breadth first.
///
/// Whatever a process may do it does in some walk: report anything, in place or out of it, fall silent, exit, refuse to. Time
/// passes to the next deadline, and events come at that moment or the one before. What may happen only so often is budgeted,
/// or the walk would not end.
final class FleetWalk {
    /// A state, when it was come to, and what of the budgets is left.
    private record Node(Fleet fleet, Moment now, int reloads, int mishaps, int timeouts) {
        Node after(Fleet next, Moment at, Cost cost) {
            return new Node(next, at, reloads - cost.reloads, mishaps - cost.mishaps, timeouts - cost.timeouts);
        }

        boolean affords(Cost cost) {
            return reloads >= cost.reloads && mishaps >= cost.mishaps && timeouts >= cost.timeouts;
        }
    }

    /// What an event takes from the budgets.
    private enum Cost {
        FREE(0, 0, 0),
        RELOAD(1, 0, 0),
        MISHAP(0, 1, 0),
        TIMEOUT(0, 0, 1);

        private final int reloads;
        private final int mishaps;
        private final int timeouts;

        Cost(int reloads, int mishaps, int timeouts) {
            this.reloads = reloads;
            this.mishaps = mishaps;
            this.timeouts = timeouts;
        }
    }

    private record Choice(Event event, Cost cost) {
    }

    /// From deadline to deadline: none of what is waited for has more of them.
    private static final int STEPS_MAX = 200;

    private final Plan plan;
    private final Plan other;
    private final Duration pastMax;
    private final Set<String> seen = new HashSet<>();
    private final Deque<Node> open = new ArrayDeque<>();
    private final Set<String> kinds = new TreeSet<>();
    private final Outcomes outcomes = new Outcomes();
    private long steps;

    /// @param other what a reload brings
    FleetWalk(Plan plan, Plan other) {
        this.plan = plan;
        this.other = other;
        this.pastMax = plan.restarts().window().compareTo(plan.restarts().steady()) > 0
                ? plan.restarts().window()
                : plan.restarts().steady();
    }

    /// Walks from the start to the end.
    ///
    /// @param timeouts how often time may pass
    FleetWalk walk(int reloads, int mishaps, int timeouts) {
        return walk(Host.starting(plan), reloads, mishaps, timeouts);
    }

    /// The same from where a host has come to.
    FleetWalk walk(Host from, int reloads, int mishaps, int timeouts) {
        add(new Node(from.fleet(), from.now(), reloads, mishaps, timeouts));
        while (!open.isEmpty()) {
            Node node = open.poll();
            for (Choice choice : choices(node)) {
                if (node.affords(choice.cost())) {
                    take(node, choice);
                }
            }
        }
        return this;
    }

    int states() {
        return seen.size();
    }

    long steps() {
        return steps;
    }

    /// Simple names of all states of all machines that were come to.
    Set<String> kinds() {
        return kinds;
    }

    /// What came of all steps.
    Outcomes outcomes() {
        return outcomes;
    }

    private void take(Node node, Choice choice) {
        Step step = node.fleet().step(choice.event());
        steps++;
        Promises.check(node.fleet(), choice.event(), step);
        outcomes.add(node.fleet(), choice.event(), step);
        add(node.after(step.next(), choice.event().at(), choice.cost()));
    }

    private void add(Node node) {
        String key = Canonical.of(node.fleet(), node.now(), pastMax) + node.reloads() + '.' + node.mishaps() + '.'
                + node.timeouts();
        if (seen.add(key)) {
            open.add(node);
            note(node.fleet());
            leaveTakesItsTime(node);
            whoAskedIsAnswered(node);
        }
    }

    /// From every state a stop ends within its time, and so does a drain, even if no process ever answers.
    private void leaveTakesItsTime(Node node) {
        if (node.fleet() instanceof Ended) {
            return;
        }
        Duration most = plan.timing().drain().plus(plan.timing().force().multipliedBy(2))
                .plus(AssignmentMachine.CLOSE_MAX);
        timeLeads("a stop", node, new Event.StopRequested(node.now()), most, Ended.class::isInstance);
        timeLeads("a drain", node, new Event.DrainRequested(node.now()), most,
                fleet -> fleet instanceof Ending || fleet.condition() == Condition.WITHDRAWN);
    }

    /// From every state what was asked for is answered, even if nobody ever answers: the one under way, and the next.
    private void whoAskedIsAnswered(Node node) {
        List<Reload.Request> asked = Outcomes.requests(node.fleet()).toList();
        if (!asked.isEmpty()) {
            Duration most = Reload.LOAD_MAX.plus(plan.timing().start()).plus(plan.timing().drain())
                    .plus(plan.timing().force().multipliedBy(2)).multipliedBy(2);
            timeLeads("an answer", node, new TimePassed(node.now()), most,
                    fleet -> Outcomes.requests(fleet).noneMatch(asked::contains));
        }
    }

    private void timeLeads(String where, Node node, Event event, Duration most, Predicate<Fleet> there) {
        Moment latest = node.now().plus(most);
        Fleet fleet = node.fleet().step(event).next();
        for (int i = 0; !there.test(fleet); i++) {
            Moment deadline = fleet.deadline()
                    .orElseThrow(() -> new AssertionError(where + " is waited for forever: " + node));
            if (deadline.compareTo(latest) > 0 || i > STEPS_MAX) {
                throw new AssertionError(where + " takes longer than its deadlines: " + node);
            }
            fleet = fleet.step(new TimePassed(deadline)).next();
            steps++;
        }
    }

    private void note(Fleet fleet) {
        kinds.add(fleet.getClass().getSimpleName());
        kinds.add(fleet.condition().name());
        fleet.generations().forEach(one -> kinds.add(one.getClass().getSimpleName()));
        fleet.workers().forEach(one -> kinds.add(one.getClass().getSimpleName()));
        Promises.table(fleet).values().forEach(one -> kinds.add(one.getClass().getSimpleName()));
        if (fleet instanceof Running running) {
            kinds.add(running.front().getClass().getSimpleName());
            kinds.add(running.reload().stage().getClass().getSimpleName());
            if (running.front() instanceof Front.Open(Generation.Serving serving, _)) {
                serving.slots().forEach(slot -> kinds.add(slot.occupancy().getClass().getSimpleName()));
            }
        }
    }

    private List<Choice> choices(Node node) {
        Moment now = node.now();
        List<Choice> choices = new ArrayList<>();
        node.fleet().workers().forEach(worker -> choices.addAll(of(worker, node.fleet(), now)));
        node.fleet().deadline().ifPresent(deadline -> choices.add(new Choice(new TimePassed(deadline), Cost.TIMEOUT)));
        choices.add(new Choice(new TimePassed(now), Cost.FREE));
        if (!(node.fleet() instanceof Ended)) {
            choices.add(new Choice(new Event.ReloadRequested(now), Cost.RELOAD));
            choices.add(new Choice(new Event.RollbackRequested(now), Cost.RELOAD));
        }
        choices.add(new Choice(new Event.DrainRequested(now), Cost.MISHAP));
        choices.add(new Choice(new Event.StopRequested(now), Cost.MISHAP));
        choices.add(new Choice(new Event.StopSignalled(now), Cost.MISHAP));
        loads(node.fleet(), now, choices);
        return choices;
    }

    private void loads(Fleet fleet, Moment now, List<Choice> choices) {
        if (fleet instanceof Running running
                && running.reload().stage() instanceof Reload.Loading(Reload.Request request, _)) {
            int number = request.number();
            choices.add(new Choice(new ConfigurationAccepted(now, number, other, Change.GENERATION), Cost.FREE));
            choices.add(new Choice(new ConfigurationAccepted(now, number, plan, Change.HOT), Cost.FREE));
            choices.add(new Choice(new ConfigurationRefused(now, number,
                    new Cause(Reason.INVALID_CONFIG, "a fault")), Cost.MISHAP));
        } else {
            choices.add(new Choice(new ConfigurationAccepted(now, 1_000, other, Change.GENERATION), Cost.MISHAP));
            choices.add(new Choice(new ConfigurationRefused(now, 1_000, new Cause(Reason.INVALID_CONFIG, "a fault")),
                    Cost.MISHAP));
        }
    }

    private List<Choice> of(Worker worker, Fleet fleet, Moment now) {
        WorkerId id = worker.id();
        List<Choice> choices = new ArrayList<>();
        for (Report report : reports(worker, fleet)) {
            choices.add(new Choice(new Reported(now, id, report),
                    isInPlace(worker, report) ? Cost.FREE : Cost.MISHAP));
        }
        choices.add(new Choice(new ChannelClosed(now, id, "closed its control channel"), Cost.MISHAP));
        Cost exit = worker instanceof Worker.Leaving ? Cost.FREE : Cost.MISHAP;
        choices.add(new Choice(new Exited(now, id, new ExitStatus.Code(0)), exit));
        choices.add(new Choice(new Exited(now, id, new ExitStatus.Signal(9)), Cost.MISHAP));
        if (worker instanceof Worker.Starting) {
            choices.add(new Choice(new SpawnFailed(now, id, "no memory"), Cost.MISHAP));
        }
        return choices;
    }

    private static List<Report> reports(Worker worker, Fleet fleet) {
        List<Report> reports = new ArrayList<>(List.of(new Report.Hello(Bounds.VERSION, "build", "token"),
                new Report.Prepared(), new Report.Ready(), new Report.Heartbeat(0, 1, 1), new Report.Drained(0),
                new Report.Failed(Reason.APPLICATION_STARTUP_FAILURE, "no module"), new Report.Exiting(3, "a reason"),
                new Report.MetricsSnapshot(List.of())));
        var read = new TreeMap<Long, List<Shard>>();
        Promises.table(fleet).forEach((shard, reading) -> {
            if (reading instanceof Assignment.Moving(WorkerId reader, long release, _) && reader.equals(worker.id())) {
                read.computeIfAbsent(release, _ -> new ArrayList<>()).add(shard);
            } else if (reading instanceof Assignment.Closing(WorkerId reader, _) && reader.equals(worker.id())) {
                read.computeIfAbsent(0L, _ -> new ArrayList<>()).add(shard);
            }
        });
        read.forEach((release, shards) -> reports.add(new Report.Released(release, shards)));
        return reports;
    }

    private static boolean isInPlace(Worker worker, Report report) {
        return switch (report) {
            case Report.Hello _ -> worker instanceof Worker.Starting;
            case Report.Prepared _ -> worker instanceof Worker.Preparing;
            case Report.Ready _ -> worker instanceof Worker.Committed;
            case Report.Heartbeat _,Report.Released _ -> worker instanceof Worker.InService;
            case Report.Drained _ -> worker instanceof Worker.Draining;
            case Report.MetricsSnapshot _,Report.Identified _,Report.Posted _,Report.Failed _,Report.Exiting _ -> false;
        };
    }
}
