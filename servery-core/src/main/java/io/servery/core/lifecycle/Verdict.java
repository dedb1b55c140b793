package io.servery.core.lifecycle;

/// What became of a reload or a rollback.
public sealed interface Verdict {

    /// The hot values of this revision were pushed.
    record Pushed(int revision) implements Verdict {
    }

    /// This generation serves.
    record Serving(int generation, int revision) implements Verdict {
    }

    /// This generation serves, with the configuration that was good before.
    record RolledBack(int generation, int revision) implements Verdict {
    }

    /// What served before serves on.
    record Kept(Cause cause) implements Verdict {
    }

    /// A later request asked for something else before this one began.
    record Superseded() implements Verdict {
    }
}
