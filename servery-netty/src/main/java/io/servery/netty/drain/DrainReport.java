package io.servery.netty.drain;

import io.servery.core.metric.WorkClass;
import java.util.Map;

/// How a drain ended.
///
/// @param durationMillis from its start to the last connection's end
/// @param forced how many exchanges were cut short, by the kind of their work; empty when all completed
public record DrainReport(long durationMillis, Map<WorkClass, Integer> forced) {
    public DrainReport {
        forced = Map.copyOf(forced);
    }

    /// How many exchanges were cut short.
    public long cut() {
        return forced.values().stream().mapToLong(Integer::longValue).sum();
    }

    /// Whether everything that was accepted completed.
    public boolean complete() {
        return forced.isEmpty();
    }
}
