package io.servery.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.control.Bounds;
import io.servery.core.control.Order;
import io.servery.core.control.Report;
import io.servery.core.control.Shard;
import io.servery.core.lifecycle.Event.Change;
import io.servery.core.lifecycle.Event.ConfigurationAccepted;
import io.servery.core.lifecycle.Event.Exited;
import io.servery.core.lifecycle.Event.Reported;
import io.servery.core.lifecycle.Event.TimePassed;
import io.servery.core.metric.FleetSample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// A host that a test plays: it steps the service, keeps the effects of the latest act, and checks every step's promises.
final class Host {
    private static final Duration BEAT = Duration.ofMillis(250);

    private final List<Effect> latest = new ArrayList<>();
    private final Set<WorkerId> still = new HashSet<>();
    private Fleet fleet;
    private Moment now = new Moment(0);
    private FleetTally tally = FleetTally.none();

    private Host(Plan plan) {
        Step step = Fleet.start(plan, now);
        latest.addAll(step.effects());
        fleet = step.next();
    }

    /// A service whose first workers are spawned.
    static Host starting(Plan plan) {
        return new Host(plan);
    }

    /// A service whose first generation serves.
    static Host serving(Plan plan) {
        Host host = new Host(plan);
        host.bring(1);
        assertThat(host.fleet.condition()).isEqualTo(Condition.READY);
        return host;
    }

    static WorkerId worker(int generation, int slot, int incarnation) {
        return new WorkerId(generation, slot, incarnation);
    }

    Fleet fleet() {
        return fleet;
    }

    Moment now() {
        return now;
    }

    // Acts

    Host act(Event event) {
        latest.clear();
        return step(event);
    }

    Host report(WorkerId worker, Report report) {
        return act(new Reported(now, worker, report));
    }

    Host hello(WorkerId worker) {
        return report(worker, new Report.Hello(Bounds.VERSION, "build", "token"));
    }

    Host prepared(WorkerId worker) {
        return hello(worker).report(worker, new Report.Prepared());
    }

    /// All steps to ready, as far as this worker goes.
    Host ready(WorkerId worker) {
        return prepared(worker).report(worker, new Report.Ready());
    }

    /// Brings all workers of a candidate to ready.
    Host bring(int generation) {
        List<WorkerId> workers = workers(generation);
        workers.forEach(this::prepared);
        workers.forEach(worker -> report(worker, new Report.Ready()));
        return this;
    }

    Host exit(WorkerId worker, int code) {
        return act(new Exited(now, worker, new ExitStatus.Code(code)));
    }

    /// Each worker that was told to release confirms it.
    Host confirmReleases() {
        List<Effect> before = List.copyOf(latest);
        for (Effect effect : before) {
            if (effect instanceof Effect.Send(WorkerId worker, Order.Release(long number, List<Shard> shards))) {
                step(new Reported(now, worker, new Report.Released(number, shards)));
            }
        }
        return this;
    }

    /// Workers of generations that drain say so and exit.
    Host drainAll() {
        fleet.workers().filter(Worker.Draining.class::isInstance).map(Worker::id).toList().forEach(worker -> {
            step(new Reported(now, worker, new Report.Drained(0)));
            step(new Exited(now, worker, new ExitStatus.Code(0)));
        });
        return this;
    }

    Host reload() {
        act(new Event.ReloadRequested(now));
        return this;
    }

    Host accept(int reload, Plan plan) {
        return act(new ConfigurationAccepted(now, reload, plan, Change.GENERATION));
    }

    /// A reload to another revision of the same, which serves, and the old generation is gone.
    Host reloaded(int reload, Plan plan, int generation) {
        reload();
        accept(reload, plan);
        bring(generation);
        return confirmReleases().drainAll();
    }

    /// Whose event loops stand still from now on.
    Host standStill(WorkerId worker) {
        still.add(worker);
        return this;
    }

    Host turnAgain(WorkerId worker) {
        still.remove(worker);
        return this;
    }

    /// Time goes by: heartbeats of those whose loops turn, and deadlines as they come.
    Host pass(Duration duration) {
        latest.clear();
        Moment end = now.plus(duration);
        while (now.compareTo(end) < 0) {
            now = now.plus(BEAT).orEarlier(end).orEarlier(fleet.deadline().orElse(end));
            fleet.workers().filter(Worker.InService.class::isInstance).filter(one -> !still.contains(one.id()))
                    .toList().forEach(this::beat);
            if (fleet.deadline().filter(deadline -> deadline.isReached(now)).isPresent()) {
                step(new TimePassed(now));
            }
        }
        return this;
    }

    /// Time goes by while the parent itself stands still: nothing is read, then all at once.
    Host sleep(Duration duration) {
        latest.clear();
        now = now.plus(duration);
        return step(new TimePassed(now));
    }

    private void beat(Worker worker) {
        long requests = ((Worker.InService) worker).pulse().requests();
        step(new Reported(now, worker.id(), new Report.Heartbeat(0, 1, requests + 1)));
    }

    private Host step(Event event) {
        Step step = fleet.step(event);
        Promises.check(fleet, event, step);
        fleet = step.next();
        tally = tally.plus(step, now.nanos() / 1e9);
        latest.addAll(step.effects());
        return this;
    }

    // What came of it

    FleetSample sample() {
        return tally.sample(fleet);
    }

    List<WorkerId> workers(int generation) {
        return fleet.workers().map(Worker::id).filter(id -> id.generation() == generation).toList();
    }

    Worker worker(WorkerId id) {
        return fleet.workers().filter(one -> one.id().equals(id)).findFirst().orElseThrow();
    }

    <E extends Effect> List<E> effects(Class<E> type) {
        return latest.stream().filter(type::isInstance).map(type::cast).toList();
    }

    List<WorkerId> spawned() {
        return effects(Effect.Spawn.class).stream().map(Effect.Spawn::worker).toList();
    }

    List<Order> orders(WorkerId worker) {
        return effects(Effect.Send.class).stream().filter(send -> send.worker().equals(worker)).map(Effect.Send::order)
                .toList();
    }

    List<Effect.Signal> signals() {
        return effects(Effect.Signal.class);
    }

    List<Fact> facts() {
        return effects(Effect.Note.class).stream().map(Effect.Note::fact).toList();
    }

    Verdict verdict(int reload) {
        return verdicts(reload).findFirst().orElseThrow(() -> new AssertionError("no verdict yet in " + latest));
    }

    Stream<Verdict> verdicts(int reload) {
        return effects(Effect.Conclude.class).stream().filter(one -> one.reload() == reload)
                .map(Effect.Conclude::verdict);
    }

    Optional<WorkerId> reader(Shard shard) {
        return Promises.table(fleet).get(shard) instanceof Assignment.ReadBy(WorkerId reader)
                ? Optional.of(reader)
                : Optional.empty();
    }
}
