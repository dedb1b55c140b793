package io.servery.core.lifecycle;

import io.servery.core.lifecycle.Generation.Retired;
import java.util.List;

/// What remains from one state of the service to the next: generations that leave, who reads which shard, and what was
/// counted.
///
/// @param generations number of the latest generation
/// @param reloads number of the latest change of configuration
/// @param survivors processes that outlived KILL
/// @param published what the service was last said to be
public record Tree(List<Retired> retired, Assignment shards, int generations, int reloads, int survivors,
        Condition published) {
    public Tree {
        retired = List.copyOf(retired);
    }

    static Tree empty() {
        return new Tree(List.of(), Assignment.empty(), 0, 0, 0, Condition.STOPPED);
    }
}
