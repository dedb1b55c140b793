package io.servery.core.metric;

import io.servery.core.reason.Reason;
import java.util.Map;
import java.util.OptionalDouble;

/// What the parent counts of its fleet, at one moment.
///
/// @param workers how many there are in each state; what is absent is none
/// @param generation the one that serves; 0 before the first
/// @param restarts how many workers were started in place of another, by the reason why
/// @param reloads how many reloads and rollbacks had each result
/// @param lastReloadSuccessful whether the last configuration was applied, that of the start included
/// @param lastSuccessSeconds when the last was applied, since the Unix epoch
public record FleetSample(Map<WorkerState, Long> workers, int generation, Map<Reason, Long> restarts,
        Map<ReloadResult, Long> reloads, boolean lastReloadSuccessful, OptionalDouble lastSuccessSeconds) {
    public FleetSample {
        workers = Map.copyOf(workers);
        restarts = Map.copyOf(restarts);
        reloads = Map.copyOf(reloads);
    }
}
