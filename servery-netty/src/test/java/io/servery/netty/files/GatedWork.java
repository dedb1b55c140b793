package io.servery.netty.files;

import io.servery.netty.lane.Work;
import java.util.concurrent.CountDownLatch;

/// Work that occupies a thread or a place of a lane until the gate opens.
///
/// @param started counted down by each that has a thread
public record GatedWork(CountDownLatch gate, CountDownLatch started) implements Work {
    public GatedWork(CountDownLatch gate) {
        this(gate, new CountDownLatch(1));
    }

    @Override
    public void run() {
        started.countDown();
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
