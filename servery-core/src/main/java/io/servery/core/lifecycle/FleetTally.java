package io.servery.core.lifecycle;

import io.servery.core.metric.FleetSample;
import io.servery.core.metric.ReloadResult;
import io.servery.core.metric.WorkerState;
import io.servery.core.reason.Reason;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;

/// What was counted of a fleet since it started: read off the effects of its steps.
///
/// @param givenUp slots of the generation that serves, or of the last that did
/// @param lastReloadSuccessful whether the last configuration was applied, that of the start included
/// @param lastSuccessSeconds when a configuration was last applied, since the Unix epoch
public record FleetTally(Map<Reason, Long> restarts, Map<ReloadResult, Long> reloads, long givenUp,
        boolean lastReloadSuccessful, OptionalDouble lastSuccessSeconds) {
    public FleetTally {
        restarts = Map.copyOf(restarts);
        reloads = Map.copyOf(reloads);
    }

    public static FleetTally none() {
        return new FleetTally(Map.of(), Map.of(), 0, false, OptionalDouble.empty());
    }

    /// With what a step did.
    ///
    /// @param epochSeconds when it was
    public FleetTally plus(Step step, double epochSeconds) {
        FleetTally tally = this;
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.Note(Fact.WorkerRestarted restarted)) {
                tally = tally.restarted(restarted.reason());
            } else if (effect instanceof Effect.Note(Fact.SlotGivenUp _)) {
                tally = tally.givingUp(tally.givenUp + 1);
            } else if (effect instanceof Effect.Note(Fact.GenerationServed _)) {
                tally = tally.givingUp(0);
            } else if (effect instanceof Effect.Conclude(int reload, Verdict verdict)) {
                tally = reload == 0 ? tally.started(verdict, epochSeconds) : tally.concluded(verdict, epochSeconds);
            }
        }
        return tally;
    }

    /// Everything that the metrics of a fleet say.
    public FleetSample sample(Fleet fleet) {
        Map<WorkerState, Long> workers = new EnumMap<>(WorkerState.class);
        fleet.workers().forEach(worker -> workers.merge(state(worker), 1L, Long::sum));
        int generation = 0;
        if (fleet instanceof Fleet.Running(Front.Open(Generation.Serving serving, _), _, _)) {
            generation = serving.number();
        }
        workers.put(WorkerState.FAILED, givenUp);
        return new FleetSample(workers, generation, restarts, reloads, lastReloadSuccessful, lastSuccessSeconds);
    }

    /// As the metrics and `status` name it.
    public static WorkerState state(Worker worker) {
        return switch (worker) {
            case Worker.Unready _ -> WorkerState.STARTING;
            case Worker.InService _ -> WorkerState.READY;
            case Worker.Leaving _ -> WorkerState.DRAINING;
            case Worker.Gone gone -> throw new IllegalStateException("tally: found " + gone);
        };
    }

    private FleetTally givingUp(long slots) {
        return new FleetTally(restarts, reloads, slots, lastReloadSuccessful, lastSuccessSeconds);
    }

    private FleetTally restarted(Reason reason) {
        Map<Reason, Long> next = new EnumMap<>(Reason.class);
        next.putAll(restarts);
        next.merge(reason, 1L, Long::sum);
        return new FleetTally(next, reloads, givenUp, lastReloadSuccessful, lastSuccessSeconds);
    }

    /// The start is no reload, but it applies a configuration.
    private FleetTally started(Verdict verdict, double epochSeconds) {
        return verdict instanceof Verdict.Serving
                ? new FleetTally(restarts, reloads, givenUp, true, OptionalDouble.of(epochSeconds))
                : this;
    }

    private FleetTally concluded(Verdict verdict, double epochSeconds) {
        return switch (verdict) {
            case Verdict.Pushed _,Verdict.Serving _ -> applied(ReloadResult.SUCCESS, epochSeconds);
            case Verdict.RolledBack _ -> applied(ReloadResult.ROLLED_BACK, epochSeconds);
            case Verdict.Kept _ ->
                new FleetTally(restarts, with(ReloadResult.FAILURE), givenUp, false, lastSuccessSeconds);
            case Verdict.Superseded _ -> this;
        };
    }

    private FleetTally applied(ReloadResult result, double epochSeconds) {
        return new FleetTally(restarts, with(result), givenUp, true, OptionalDouble.of(epochSeconds));
    }

    private Map<ReloadResult, Long> with(ReloadResult result) {
        Map<ReloadResult, Long> next = new EnumMap<>(ReloadResult.class);
        next.putAll(reloads);
        next.merge(result, 1L, Long::sum);
        return next;
    }
}
