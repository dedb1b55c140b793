package io.servery.core.lifecycle;

import io.servery.core.fault.ExitCode;
import io.servery.core.lifecycle.AssignmentMachine.Wanted;
import io.servery.core.lifecycle.Event.ConfigurationAccepted;
import io.servery.core.lifecycle.Event.ConfigurationRefused;
import io.servery.core.lifecycle.Event.DrainRequested;
import io.servery.core.lifecycle.Event.MovesWorker;
import io.servery.core.lifecycle.Event.ReloadRequested;
import io.servery.core.lifecycle.Event.RollbackRequested;
import io.servery.core.lifecycle.Event.StopRequested;
import io.servery.core.lifecycle.Event.StopSignalled;
import io.servery.core.lifecycle.Fleet.Ended;
import io.servery.core.lifecycle.Fleet.Ending;
import io.servery.core.reason.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Moves a service that ends: nothing begins any more, everything leaves, and what cannot say its end is not waited for.
final class EndingMachine {
    /// So long a service that failed stays to say why.
    static final Duration LINGER = Duration.ofSeconds(60);

    private static final Cause GOING = new Cause(Reason.DRAINING, "the service is going away");

    private EndingMachine() {
    }

    /// The first state of an end, everything having been told to leave.
    static Fleet begun(Offspring offspring, Optional<Cause> failure, Moment until, boolean stopped, Turn turn) {
        return settled(offspring, new Ending(offspring.tree(Condition.STOPPED), failure, until, stopped), turn);
    }

    static Fleet step(Ending ending, Event event, Turn turn) {
        Offspring offspring = new Offspring(ending.tree(), turn);
        Ending next = switch (event) {
            case MovesWorker one -> {
                offspring.move(one);
                yield ending;
            }
            case ReloadRequested _,RollbackRequested _ -> {
                turn.add(new Effect.Conclude(offspring.nextReload(), new Verdict.Kept(GOING)));
                yield ending;
            }
            case ConfigurationAccepted accepted -> {
                offspring.know(accepted.plan());
                yield ending;
            }
            case ConfigurationRefused _,DrainRequested _ -> ending;
            case StopRequested _ -> stopped(ending, turn);
            case StopSignalled _ -> {
                if (ending.stopped()) {
                    offspring.force();
                }
                yield stopped(ending, turn);
            }
        };
        return settled(offspring, next, turn);
    }

    static Fleet step(Ended ended, Event event, Turn turn) {
        switch (event) {
            case ReloadRequested _,RollbackRequested _ -> throw new IllegalStateException(
                    "fleet: found " + event + " after the end");
            case ConfigurationAccepted accepted -> turn.add(new Effect.Close(accepted.plan().shards()));
            case MovesWorker _,ConfigurationRefused _,DrainRequested _,StopRequested _,StopSignalled _ -> {
            }
        }
        return ended;
    }

    /// What a worker finds wrong with its configuration, such as a root that is not there, is told like what the parent finds.
    private static ExitCode exitCode(Cause failure) {
        return failure.reason() == Reason.INVALID_CONFIG ? ExitCode.CONFIGURATION : ExitCode.FAILED;
    }

    private static Ending stopped(Ending ending, Turn turn) {
        return new Ending(ending.tree(), ending.failure(), ending.until().orEarlier(turn.now()), true);
    }

    private static Fleet settled(Offspring offspring, Ending ending, Turn turn) {
        offspring.settle(new Wanted(Set.of(), Set.of(), List.of(), Offspring.standings(offspring.leaving())));
        Ending next = new Ending(offspring.tree(Condition.STOPPED), ending.failure(), ending.until(),
                ending.stopped());
        if (next.isOver() && turn.reached(next.until())) {
            ExitCode code = next.failure().map(EndingMachine::exitCode)
                    .orElse(offspring.survivors() > 0 ? ExitCode.FAILED : ExitCode.OK);
            Ended ended = new Ended(code);
            if (next.failure().isPresent()) {
                offspring.published(next.condition()); // in the step of the end, where no process had to be waited for
            }
            offspring.published(ended.condition());
            turn.addLast(new Effect.Finish(code));
            return ended;
        }
        return new Ending(offspring.tree(offspring.published(next.condition())), next.failure(), next.until(),
                next.stopped());
    }
}
