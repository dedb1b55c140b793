package io.servery.core.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/// The table `[runtime]`: processes, event loops, deadlines of the life cycle, directories.
///
/// @param eventLoops empty means "auto": one per core
/// @param hangTimeout how long an event loop may stand still
/// @param runtimeDirectory where sockets live; empty means a private temporary directory
public record RuntimeConfig(OptionalInt eventLoops, Transport transport, Duration drainTimeout, Duration forceTimeout,
        Duration startTimeout, Duration hangTimeout, Path stateDirectory, Optional<Path> runtimeDirectory) {

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
