package io.servery.netty.worker;

import io.servery.admin.Health;
import java.util.List;

/// Where a worker is in its life.
public enum WorkerState {
    /// Made, registered, not reading.
    STARTING("starting"),
    /// Serving.
    READY("ready"),
    /// Finishing what it accepted.
    DRAINING("draining"),
    /// Nothing is left of it.
    ENDED("ended");

    private final String word;

    WorkerState(String word) {
        this.word = word;
    }

    /// The word in events and in answers of the admin listener.
    public String word() {
        return word;
    }

    /// What the admin listener says of a worker in this state.
    Health health() {
        return this == READY ? Health.readyNow() : Health.notReady(List.of(word));
    }
}
