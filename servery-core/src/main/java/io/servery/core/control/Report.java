package io.servery.core.control;

import io.servery.core.metric.MetricScope;
import io.servery.core.metric.MetricSnapshot;
import io.servery.core.metric.ProcessSample;
import io.servery.core.reason.Reason;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// What a worker tells its parent: facts in the past tense.
///
/// A constructor throws where a value is out of its [Bounds]: whoever sends is held to them.
public sealed interface Report {

    /// The worker runs and has found its parent: always the first report.
    ///
    /// @param version of this protocol; a decoder lets none but [Bounds#VERSION] through
    /// @param build parent and worker are of one build, or they do not understand each other's tables
    /// @param token what the parent gave the worker on its standard input
    record Hello(int version, String build, String token) implements Report {
        public Hello {
            Bounds.require("version", version, Bounds.VERSION, Bounds.VERSION);
            Bounds.requireText("build", build, Bounds.BUILD_BYTES_MAX);
            Bounds.requireText("token", token, Bounds.TOKEN_BYTES_MAX);
        }

        @Override
        public String toString() {
            return "Hello[version=" + version + ", build=" + build + ", token=<redacted>]";
        }
    }

    /// All that it takes to serve is there; nothing is read yet.
    record Prepared() implements Report {
    }

    /// The commit is carried out: a shard that is adopted from now on is served.
    record Ready() implements Report {
    }

    /// One event loop turned: sent by that loop, so that a loop that stands still is silent.
    ///
    /// @param connections open on this loop now
    /// @param requests completed by this loop since the worker began
    record Heartbeat(int loop, int connections, long requests) implements Report {
        public Heartbeat {
            Bounds.require("loop", loop, 0, Bounds.LOOPS_MAX - 1);
            Bounds.require("connections", connections, 0, Integer.MAX_VALUE);
            Bounds.require("requests", requests, 0, Long.MAX_VALUE);
        }
    }

    /// These shards are read no more: after a release with that number, or when their queue was empty in a drain.
    record Released(long number, List<Shard> shards) implements Report {
        public Released {
            Bounds.require("number", number, 0, Long.MAX_VALUE);
            shards = Shard.ascending(shards);
        }
    }

    /// The worker cannot go on.
    ///
    /// @param cause for people; of many lines where it is a stack trace
    record Failed(Reason reason, String cause) implements Report {
        /// The reasons that a worker can give.
        public static final Set<Reason> REASONS = Set.of(Reason.STARTUP_FAILURE, Reason.HEALTH_FAILURE,
                Reason.INVALID_CONFIG, Reason.APPLICATION_STARTUP_FAILURE);

        public Failed {
            if (!REASONS.contains(reason)) {
                throw new IllegalArgumentException("control: reason: found " + reason + "; expected one of " + REASONS);
            }
            Bounds.requireText("cause", cause, Bounds.CAUSE_BYTES_MAX);
        }
    }

    /// The drain is over; the process exits now.
    ///
    /// @param forced how much work was cut short; the snapshot before it says which
    record Drained(long forced) implements Report {
        public Drained {
            Bounds.require("forced", forced, 0, Long.MAX_VALUE);
        }
    }

    /// Everything counted since the worker began: the series that are not zero.
    ///
    /// @param process what its host and its JVM say of it, or [ProcessFigures#NONE]
    record MetricsSnapshot(List<Count> counts, ProcessFigures process) implements Report {
        public MetricsSnapshot {
            counts = List.copyOf(counts);
            Bounds.require("counts", counts.size(), 0, Bounds.COUNTS_MAX);
            for (int i = 1; i < counts.size(); i++) {
                Bounds.require("series", counts.get(i).series(), counts.get(i - 1).series() + 1L, Integer.MAX_VALUE);
            }
        }

        /// Without a word of the process.
        public MetricsSnapshot(List<Count> counts) {
            this(counts, ProcessFigures.NONE);
        }

        /// What says the same as a snapshot.
        public static MetricsSnapshot of(MetricSnapshot snapshot) {
            long[] values = snapshot.values();
            return new MetricsSnapshot(IntStream.range(0, values.length).filter(series -> values[series] != 0)
                    .mapToObj(series -> new Count(series, values[series])).toList());
        }

        /// What says the same as a snapshot and a sample of the process, taken together.
        public static MetricsSnapshot of(MetricSnapshot snapshot, ProcessSample process) {
            return new MetricsSnapshot(of(snapshot).counts(), ProcessFigures.of(process));
        }

        /// The snapshot that was sent, or empty where it names a series that does not exist.
        public Optional<MetricSnapshot> snapshot(MetricScope scope) {
            long[] values = new long[MetricSnapshot.SERIES];
            for (Count count : counts) {
                if (count.series() >= values.length) {
                    return Optional.empty();
                }
                values[count.series()] = count.value();
            }
            return Optional.of(MetricSnapshot.of(scope, values));
        }
    }

    /// One series by its number in the table of the build, and its value.
    record Count(int series, long value) {
        public Count {
            Bounds.require("series", series, 0, Bounds.COUNTS_MAX - 1);
        }
    }

    /// The identities of the order with this number are shown, or they cannot be and those before still are.
    ///
    /// @param refusal why not, for people; empty where they are shown
    record Identified(long number, String refusal) implements Report {
        public Identified {
            Bounds.require("number", number, 0, Long.MAX_VALUE);
            Bounds.requireText("refusal", refusal, Bounds.CAUSE_BYTES_MAX);
        }
    }

    /// The challenges of the order with this number are answered by every event loop, or they cannot be and none is.
    ///
    /// @param refusal why not, for people; empty where they are answered
    record Posted(long number, String refusal) implements Report {
        public Posted {
            Bounds.require("number", number, 0, Long.MAX_VALUE);
            Bounds.requireText("refusal", refusal, Bounds.CAUSE_BYTES_MAX);
        }
    }

    /// The worker exits by its own decision, with this code.
    record Exiting(int code, String cause) implements Report {
        public Exiting {
            Bounds.require("code", code, 0, 255);
            Bounds.requireText("cause", cause, Bounds.CAUSE_BYTES_MAX);
        }
    }
}
