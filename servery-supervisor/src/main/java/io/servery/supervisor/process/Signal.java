package io.servery.supervisor.process;

/// The signals that a parent sends: signal(7), the same numbers on both processors.
public enum Signal {
    TERM(15),
    KILL(9);

    private final int number;

    Signal(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
