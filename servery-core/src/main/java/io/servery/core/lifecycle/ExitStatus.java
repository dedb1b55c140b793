package io.servery.core.lifecycle;

/// How a process ended, as wait(2) tells it.
public sealed interface ExitStatus {

    record Code(int code) implements ExitStatus {
    }

    record Signal(int number) implements ExitStatus {
    }

    default boolean isClean() {
        return this instanceof Code(int code) && code == 0;
    }

    /// In words that follow `the worker`.
    default String text() {
        return switch (this) {
            case Code(int code) -> "exited with code " + code;
            case Signal(int number) -> "was killed by signal " + number;
        };
    }
}
