package io.servery.supervisor.loop;

import io.servery.supervisor.loop.ScriptedWorker.Script;
import java.nio.file.Path;
import java.util.stream.Collectors;

/// A parent of two workers in a process of its own, which says their pids once they are ready and waits to be killed.
final class LostParent {
    private LostParent() {
    }

    /// Lives until it is killed.
    ///
    /// @param args its folder
    public static void main(String[] args) throws Exception {
        TestFleet fleet = new TestFleet(Path.of(args[0]), _ -> Script.OUTLIVES_ITS_CHANNEL);
        fleet.configured("workers = 2", "", "").started().ready();
        System.out
                .println("ready " + fleet.pids.values().stream().map(String::valueOf).collect(Collectors.joining(" ")));
        fleet.ended();
    }
}
