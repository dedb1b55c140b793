package io.servery.supervisor.loop;

import java.util.ArrayList;
import java.util.List;

/// What other threads want done on the loop: a task each, in order.
///
/// *Owner*: any thread puts, the loop takes. *Invariant*: bounded, as every sender waits for its answer or is a signal.
final class Mailbox {
    private final Runnable wake;
    private List<Runnable> tasks = new ArrayList<>();

    /// @param wake ends the wait of the loop
    Mailbox(Runnable wake) {
        this.wake = wake;
    }

    void put(Runnable task) {
        synchronized (this) {
            tasks.add(task);
        }
        wake.run();
    }

    void runAll() {
        List<Runnable> taken;
        synchronized (this) {
            taken = tasks;
            tasks = new ArrayList<>();
        }
        taken.forEach(Runnable::run);
    }
}
