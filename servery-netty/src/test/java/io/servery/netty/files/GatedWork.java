package io.servery.netty.files;

import io.servery.netty.lane.Work;
import java.util.concurrent.CountDownLatch;

/// Work that occupies a thread or a place of a lane until the gate opens.
record GatedWork(CountDownLatch gate) implements Work {
    @Override
    public void run() {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void discard() {
        // Nobody waits for it.
    }
}
