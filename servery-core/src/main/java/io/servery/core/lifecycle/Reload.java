package io.servery.core.lifecycle;

import java.time.Duration;
import java.util.Optional;

/// The one change of configuration that is under way, and the one that comes after it.
///
///     Idle ──begin──► Loading ──accepted──► Bringing ──serves, or failed──► Idle
///                        └──────refused, late, or pushed───────────────────►
///
/// A configuration that is not answered for within [#LOAD_MAX] is kept out, and the next can begin.
///
/// @param next what was asked for meanwhile: requests for the same coalesce, a request for another thing supersedes it
public record Reload(Stage stage, Optional<Request> next) {
    /// So long reading, validating and binding may take: a configuration file may be on a file system that hangs.
    public static final Duration LOAD_MAX = Duration.ofSeconds(30);

    static Reload idle() {
        return new Reload(new Idle(), Optional.empty());
    }

    /// How far the change has come.
    public sealed interface Stage {
    }

    public record Idle() implements Stage {
    }

    /// It is read, validated and bound; the answer is an event.
    public record Loading(Request request, Moment until) implements Stage {
    }

    /// Its generation is on its way.
    public record Bringing(Request request, Generation.Candidate candidate) implements Stage {
    }

    /// One change that was asked for; its number is what askers wait for.
    public record Request(int number, Kind kind) {
    }

    /// Where the configuration comes from, and who asked.
    public enum Kind {
        /// The start of the service: request number 0, and already loaded.
        START,
        /// From its sources.
        RELOAD,
        /// The one before, because the operator asked.
        ROLLBACK,
        /// The one before, because this one ends in a crash loop.
        RECOVERY
    }
}
