package io.servery.core.lifecycle;

import java.util.Optional;

/// What faces the network.
///
///     Opening ──first generation serves──► Open ──drain──► Withdrawn
///                                           │ ▲               │
///                                           └─┴───reload──────┘
public sealed interface Front {

    /// Nothing has served yet: the first generation is on its way.
    record Opening() implements Front {
    }

    /// A generation serves.
    ///
    /// @param previous the configuration that was good before this one: what a rollback starts
    record Open(Generation.Serving serving, Optional<Plan> previous) implements Front {
    }

    /// The operator took the service away; a reload brings it back.
    ///
    /// @param last the configuration that served
    /// @param previous the one that was good before it
    record Withdrawn(Optional<Plan> last, Optional<Plan> previous) implements Front {
    }

    /// What a rollback starts.
    default Optional<Plan> rollback() {
        return switch (this) {
            case Opening _ -> Optional.empty();
            case Open(_, Optional<Plan> previous) -> previous;
            case Withdrawn(_, Optional<Plan> previous) -> previous;
        };
    }

    /// What a rollback starts after another configuration has taken over.
    default Optional<Plan> current() {
        return switch (this) {
            case Opening _ -> Optional.empty();
            case Open(Generation.Serving serving, _) -> Optional.of(serving.plan());
            case Withdrawn(Optional<Plan> last, _) -> last;
        };
    }
}
