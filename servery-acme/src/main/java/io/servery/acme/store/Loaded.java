package io.servery.acme.store;

import java.nio.file.Path;
import java.util.Optional;

/// What was found where something is kept.
public sealed interface Loaded<T> {

    /// It is there and whole.
    record Present<T>(T value) implements Loaded<T> {
    }

    /// It is not there.
    record Absent<T>() implements Loaded<T> {
    }

    /// Something was there that is not what was written: it counts as absent.
    ///
    /// @param keptAs where it is now, for whoever wants to look
    /// @param why `found X; expected Y`
    record Damaged<T>(Path keptAs, String why) implements Loaded<T> {
    }

    default Optional<T> whole() {
        return this instanceof Present<T>(T value) ? Optional.of(value) : Optional.empty();
    }
}
