package io.servery.core.lifecycle;

import io.servery.core.control.Report.Released;
import io.servery.core.lifecycle.AssignmentMachine.Standing;
import io.servery.core.lifecycle.AssignmentMachine.Wanted;
import io.servery.core.lifecycle.Event.MovesWorker;
import io.servery.core.lifecycle.Event.Reported;
import io.servery.core.lifecycle.Generation.Retired;
import io.servery.core.lifecycle.Worker.Draining;
import io.servery.core.lifecycle.Worker.Gone;
import io.servery.core.lifecycle.Worker.Killed;
import io.servery.core.lifecycle.Worker.Ready;
import io.servery.core.lifecycle.Worker.Silent;
import io.servery.core.lifecycle.Worker.Terminating;
import io.servery.core.lifecycle.Worker.Unready;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The [Tree] while one step changes it: generations that leave, and the shards. What a running and an ending service do alike.
final class Offspring {
    private final Tree before;
    private final Turn turn;
    private List<Retired> retired;
    private Assignment shards;
    private int generations;
    private int reloads;

    Offspring(Tree before, Turn turn) {
        this.before = before;
        this.turn = turn;
        this.retired = before.retired();
        this.shards = before.shards();
        this.generations = before.generations();
        this.reloads = before.reloads();
    }

    Tree tree(Condition published) {
        return new Tree(retired, shards, generations, reloads, before.survivors() + turn.survivors(), published);
    }

    int nextGeneration() {
        return ++generations;
    }

    /// A number for a change that was asked for in this step.
    int nextReload() {
        int number = ++reloads;
        turn.add(new Effect.Schedule(number));
        return number;
    }

    int survivors() {
        return before.survivors() + turn.survivors();
    }

    Stream<Worker> leaving() {
        return retired.stream().flatMap(Retired::workers);
    }

    int retiredGenerations() {
        return retired.size();
    }

    void add(Retired generation) {
        List<Retired> next = new ArrayList<>(retired);
        next.add(generation);
        retired = next;
        forgetGone();
    }

    /// Shards that are bound though nobody said that they are wanted: they are closed when the step is over.
    void know(Plan plan) {
        var table = new TreeMap<>(shards.table());
        plan.shards().forEach(shard -> table.putIfAbsent(shard, new Assignment.Unread()));
        shards = new Assignment(table, shards.releases());
    }

    void move(MovesWorker event) {
        if (event instanceof Reported(_, WorkerId worker, Released report)) {
            shards = AssignmentMachine.confirmed(shards, worker, report);
        }
        retired = retired.stream()
                .map(generation -> new GenerationMachine(generation.plan(), turn).step(generation, event)).toList();
        forgetGone();
    }

    void force() {
        retired = retired.stream()
                .map(generation -> new GenerationMachine(generation.plan(), turn).forced(generation)).toList();
    }

    void settle(Wanted wanted) {
        shards = AssignmentMachine.settled(shards, wanted, turn);
    }

    static Map<WorkerId, Standing> standings(Stream<Worker> workers) {
        Map<WorkerId, Standing> standings = new TreeMap<>();
        workers.forEach(worker -> standings.put(worker.id(), switch (worker) {
            case Unready _,Ready _,Draining _ -> Standing.ANSWERING;
            case Silent _,Terminating _,Killed _ -> Standing.LOST;
            case Gone gone -> throw new IllegalStateException("tree: found " + gone);
        }));
        return standings;
    }

    /// Says what the service is, if that is news.
    Condition published(Condition condition) {
        if (condition != before.published()) {
            turn.add(new Effect.Publish(condition));
        }
        return condition;
    }

    private void forgetGone() {
        retired.stream().filter(Retired::isGone)
                .forEach(generation -> turn.note(new Fact.GenerationGone(generation.number())));
        retired = retired.stream().filter(generation -> !generation.isGone()).toList();
    }
}
