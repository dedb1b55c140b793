package io.servery.core.lifecycle;

import io.servery.core.control.Bounds;
import io.servery.core.control.Shard;
import java.time.Duration;
import java.util.List;

/// What of a configuration the life of its workers needs.
///
/// @param revision which configuration it is: whoever loads them numbers them and keeps their text
/// @param minimumWorkers below which the service is not ready, and fails when no more can be had
/// @param eventLoops of one worker, each of which reports its heartbeat
/// @param shards of all addresses, ascending; no more than one order can name
public record Plan(int revision, int workers, int minimumWorkers, int eventLoops, List<Shard> shards, Timing timing,
        RestartPolicy restarts, Recycling recycling) {

    public Plan {
        shards = shards.stream().sorted().distinct().toList();
        require("workers", workers, 1, Integer.MAX_VALUE);
        require("minimum workers", minimumWorkers, 1, workers);
        require("event loops", eventLoops, 1, Bounds.LOOPS_MAX);
        require("shards", shards.size(), 1, Bounds.SHARDS_MAX);
    }

    /// Whether workers of the other can go on with this one: nothing but hot keys and times differ.
    boolean suits(Plan other) {
        return workers == other.workers && eventLoops == other.eventLoops && shards.equals(other.shards);
    }

    private static void require(String what, int found, int min, int max) {
        if (found < min || found > max) {
            throw new IllegalArgumentException("plan: " + what + ": found " + found + "; expected " + min + " to "
                    + max);
        }
    }

    /// How long each part of a life may take.
    ///
    /// @param start from the spawning to the report that the worker is ready
    /// @param drain from the order to drain to TERM
    /// @param force from TERM to KILL, and from KILL to the report that a process survived it, then at least a second
    /// @param hang without a heartbeat of one event loop
    public record Timing(Duration start, Duration drain, Duration force, Duration hang) {
        /// A worker that is silent for so long lends its shards to the others.
        public static final Duration SILENCE = Duration.ofSeconds(1);

        private static final Duration PARTING_MAX = Duration.ofSeconds(5);
        private static final int PARTS_OF_DRAIN = 4;
        private static final Duration SURVIVAL_MIN = Duration.ofSeconds(1);

        /// How long a process may outlive KILL before it counts as a survivor: reaping takes its time.
        Duration survival() {
            return force.compareTo(SURVIVAL_MIN) < 0 ? SURVIVAL_MIN : force;
        }

        /// How long a worker whose place is taken has its connections come anew, one after the other.
        Duration parting() {
            Duration part = Duration.ofMillis(drain.toMillis() / PARTS_OF_DRAIN);
            return part.compareTo(PARTING_MAX) < 0 ? part : PARTING_MAX;
        }

        Duration silence() {
            return hang.compareTo(SILENCE) < 0 ? hang : SILENCE;
        }
    }

    /// When a worker that ended by itself is replaced, and when that has happened too often.
    ///
    /// @param limit how many exits of a generation within the window are borne
    /// @param steady a worker that was ready for so long begins a new row of exits
    public record RestartPolicy(Duration backoffInitial, Duration backoffMax, int limit, Duration window,
            Duration steady) {
        /// What every service has.
        public static final Duration STEADY = Duration.ofSeconds(10);

        public RestartPolicy {
            require("restart limit", limit, 1, Integer.MAX_VALUE);
        }

        /// How long to wait after the n-th exit of a row, from 1: not at all, then twice as long each time.
        Duration delay(int row) {
            if (row <= 1) {
                return Duration.ZERO;
            }
            Duration delay = backoffInitial;
            for (int i = 2; i < row && delay.compareTo(backoffMax) < 0; i++) {
                delay = delay.plus(delay);
            }
            return delay.compareTo(backoffMax) < 0 ? delay : backoffMax;
        }
    }

    /// When a worker that is well is replaced all the same.
    ///
    /// @param ageMax zero means never
    /// @param jitter by what share of it an age may be shorter, from 0 to 1
    /// @param requestsMax zero means never
    public record Recycling(Duration ageMax, double jitter, long requestsMax) {
        boolean isOn() {
            return ageMax.isPositive() || requestsMax > 0;
        }

        /// The longest that one worker lives: spread by its identity, so that no two of a start are of an age.
        Duration age(WorkerId worker) {
            long mixed = worker.generation() * 0x9E3779B97F4A7C15L + worker.slot() * 0xBF58476D1CE4E5B9L
                    + worker.incarnation() * 0x94D049BB133111EBL;
            mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
            mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
            double share = ((mixed ^ mixed >>> 31) >>> 11) * 0x1p-53;
            return Duration.ofNanos((long) (ageMax.toNanos() * (1 - jitter * share)));
        }
    }
}
