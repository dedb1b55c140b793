package io.servery.core.lifecycle;

import io.servery.core.fault.ExitCode;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The life of the service, from the first spawn to the exit code: the machine that holds all the others.
///
///     start ─► Running ──stop, the first generation failed, too few workers──► Ending ──all gone──► Ended
///
/// It is a value: [#step] gives the next one and what to do about it, and changes nothing. Whoever steps it carries out the
/// effects in their order, turns what the host says into events, and delivers [Event.TimePassed] when [#deadline] has come:
///
///     Fleet fleet = Fleet.start(plan, now) …
///     while (!(fleet instanceof Ended)) {
///         Step step = fleet.step(nextEvent(until fleet.deadline()));
///         step.effects().forEach(this::carryOut);
///         fleet = step.next();
///     }
///
/// No timer is armed and none can be forgotten: each deadline is a moment in the state that it would end.
///
/// *Owner*: the one loop thread of the parent.
///
/// Not here: processes, sockets, descriptors, the text of a configuration.
public sealed interface Fleet {

    /// It serves, is about to, or waits for a reload.
    record Running(Front front, Reload reload, Tree tree) implements Fleet {
        public Running {
            boolean starting = reload.stage() instanceof Reload.Bringing(Reload.Request request, _)
                    && request.kind() == Reload.Kind.START;
            if (starting != front instanceof Front.Opening) {
                throw new IllegalArgumentException("fleet: found " + reload + " with " + front);
            }
            if (front instanceof Front.Open(Generation.Serving serving, _)) {
                requireDecided(serving);
            }
        }

        private static void requireDecided(Generation.Serving serving) {
            for (Slot slot : serving.slots()) {
                if (slot.occupancy() instanceof Slot.Looping) {
                    throw new IllegalArgumentException("fleet: found a crash loop undecided: " + serving);
                }
            }
        }

        /// Whether nothing but the wish for younger workers moves them.
        boolean isSteady() {
            return reload.stage() instanceof Reload.Idle && reload.next().isEmpty();
        }
    }

    /// Everything leaves.
    ///
    /// @param failure why it cannot go on, unless it was stopped
    /// @param until then it stays to say so
    /// @param stopped whether a stop was asked for: a signal after that forces
    record Ending(Tree tree, Optional<Cause> failure, Moment until, boolean stopped) implements Fleet {

        boolean isOver() {
            return tree.retired().isEmpty() && tree.shards().table().isEmpty();
        }
    }

    /// Nothing is left.
    record Ended(ExitCode code) implements Fleet {
    }

    /// The first step: a configuration that is loaded and bound becomes the first generation. Its verdict has the number 0.
    static Step start(Plan plan, Moment now) {
        Turn turn = new Turn(now);
        return new Step(RunningMachine.started(plan, turn), turn.effects());
    }

    /// What an event leads to. Time that has passed may lead from one deadline to the next, where a timeout is zero.
    ///
    /// @throws IllegalStateException if whoever steps reports what cannot be: a bug
    default Step step(Event event) {
        Turn turn = new Turn(event.at());
        Fleet next = switch (this) {
            case Running running -> RunningMachine.step(running, event, turn);
            case Ending ending -> EndingMachine.step(ending, event, turn);
            case Ended ended -> EndingMachine.step(ended, event, turn);
        };
        Step step = new Step(next, turn.effects());
        boolean again = event instanceof Event.TimePassed && next.deadline().filter(turn::reached).isPresent();
        return again ? step.then(next.step(event)) : step;
    }

    /// When time alone moves it, if nothing happens before. After [Event.TimePassed] it is later than that.
    default Optional<Moment> deadline() {
        return switch (this) {
            case Running running -> Deadlines.of(running);
            case Ending ending -> Deadlines.of(ending);
            case Ended _ -> Optional.empty();
        };
    }

    /// What operators call it.
    default Condition condition() {
        return switch (this) {
            case Running(Front.Opening _, _, _) -> Condition.STARTING;
            case Running(Front.Open(Generation.Serving serving, _), _, _) ->
                serving.hasQuorum() ? Condition.READY : Condition.RECOVERING;
            case Running(Front.Withdrawn _, _, Tree tree) ->
                tree.retired().isEmpty() ? Condition.WITHDRAWN : Condition.DRAINING;
            case Ending ending -> ending.failure().isPresent() ? Condition.FAILED : Condition.DRAINING;
            case Ended _ -> Condition.STOPPED;
        };
    }

    /// Every generation that has a process, the one that serves first.
    default Stream<Generation> generations() {
        return switch (this) {
            case Running(Front front, Reload reload, Tree tree) -> {
                Stream<Generation> serving = front instanceof Front.Open open
                        ? Stream.of(open.serving())
                        : Stream.empty();
                Stream<Generation> candidate = reload.stage() instanceof Reload.Bringing bringing
                        ? Stream.of(bringing.candidate())
                        : Stream.empty();
                yield Stream.concat(Stream.concat(serving, candidate), tree.retired().stream());
            }
            case Ending ending -> ending.tree().retired().stream().map(Generation.class::cast);
            case Ended _ -> Stream.empty();
        };
    }

    /// Whether somebody else serves in the place of this worker until it is ready: it is of a generation on its way while
    /// another serves, or replaces one that is well.
    default boolean hasStandIn(WorkerId worker) {
        return this instanceof Running(Front.Open(Generation.Serving serving, _), _, _)
                && (worker.generation() != serving.number() || serving.slots().stream()
                        .anyMatch(slot -> slot.occupancy() instanceof Slot.Overlapping(_, Worker replacement, _)
                                && replacement.id().equals(worker)));
    }

    /// The revisions of every configuration that something may still ask for.
    default Set<Integer> revisions() {
        Stream<Plan> kept = this instanceof Running(Front front, _, _)
                ? Stream.concat(front.current().stream(), front.rollback().stream())
                : Stream.empty();
        return Stream.concat(kept, generations().map(Generation::plan)).map(Plan::revision)
                .collect(Collectors.toSet());
    }

    /// Every worker that there is.
    default Stream<Worker> workers() {
        return generations().flatMap(Generation::workers);
    }
}
