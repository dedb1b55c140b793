package io.servery.core.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// The table `[runtime]`: processes, event loops, deadlines of the life cycle, directories.
///
/// What depends on the host is a question with its processors: a configuration is the same text on every host.
///
/// @param workers empty means "auto"
/// @param minimumWorkers empty means one less than there are, at least 1; not more than `workers`
/// @param eventLoops of one worker; empty means "auto"
/// @param hangTimeout how long an event loop may stand still
/// @param runtimeDirectory where sockets live; empty means the private one of [RuntimeDirectory]
/// @param user what workers run as; empty means as the parent does
/// @param group likewise
public record RuntimeConfig(OptionalInt workers, OptionalInt minimumWorkers, OptionalInt eventLoops,
        Transport transport, Duration drainTimeout, Duration forceTimeout, Duration startTimeout, Restarts restarts,
        Recycling recycling, Duration hangTimeout, Memory workerMemory, Path stateDirectory,
        Optional<Path> runtimeDirectory, Optional<String> user, Optional<String> group) {
    /// Event loops scale inside a process: a second worker is for isolation and replacement.
    static final int WORKERS_AUTO = 2;

    /// How many workers there are; "auto" is 2, or 1 on one core.
    public int workers(int processors) {
        return workers.orElse(Math.min(WORKERS_AUTO, Math.max(1, processors)));
    }

    /// Below how many ready workers the service is not ready: at least 1, at most as many as there are.
    public int minimumWorkers(int processors) {
        int all = workers(processors);
        return Math.min(all, minimumWorkers.orElse(Math.max(1, all - 1)));
    }

    /// Event loops of one worker; "auto" is its part of the processors, rounded up.
    public int eventLoops(int processors) {
        return eventLoops.orElse(Math.max(1, Math.ceilDiv(processors, workers(processors))));
    }

    /// When a worker that ended by itself is started again, and when no more.
    ///
    /// @param backoffInitial the first pause; not more than the longest
    /// @param limit how many exits of the fleet within the window are borne
    public record Restarts(Duration backoffInitial, Duration backoffMax, int limit, Duration window) {
    }

    /// When a worker that is well is replaced.
    ///
    /// @param ageMax zero means never
    /// @param jitter by what share of it an age may be shorter, from 0 to 1
    /// @param requestsMax zero means never
    public record Recycling(Duration ageMax, double jitter, int requestsMax) {
    }

    /// What a worker may use, in bytes; what is empty is derived from the memory limit of the host.
    public record Memory(OptionalLong heapBytes, OptionalLong directBytes) {
    }

    /// Which of Netty's transports carries connections.
    public enum Transport implements Choice {
        /// Epoll where it loads, else NIO.
        AUTO("auto"),
        EPOLL("epoll"),
        NIO("nio");

        private final String word;

        Transport(String word) {
            this.word = word;
        }

        @Override
        public String word() {
            return word;
        }
    }
}
