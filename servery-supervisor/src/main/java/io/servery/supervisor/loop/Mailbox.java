package io.servery.supervisor.loop;

import java.util.ArrayList;
import java.util.List;

/// What other threads want done on the loop: a task each, in order.
///
/// *Owner*: any thread puts, the loop takes. *Invariant*: bounded, as every sender waits for its answer or is a signal; once
/// closed it wakes nobody.
final class Mailbox {
    private final Runnable wake;
    private List<Runnable> tasks = new ArrayList<>();
    private boolean closed;

    /// @param wake ends the wait of the loop
    Mailbox(Runnable wake) {
        this.wake = wake;
    }

    /// Has the loop run a task.
    ///
    /// @return whether it is going to: not once it has ended
    synchronized boolean put(Runnable task) {
        if (closed) {
            return false;
        }
        tasks.add(task);
        wake.run();
        return true;
    }

    /// Takes nothing any more; what nobody ran yet is dropped.
    synchronized void close() {
        closed = true;
        tasks.clear();
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
