package io.servery.netty.worker.link;

import io.servery.core.control.Report.Heartbeat;
import io.servery.netty.worker.LoopPulse;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/// The latest heartbeat of each event loop that was not sent yet: a parent that does not read finds one of each, not many.
///
/// *Owner*: event loops leave theirs, the control thread takes them.
final class Heartbeats implements LoopPulse {
    private final AtomicReferenceArray<Heartbeat> latest;
    private final Runnable wake;

    /// @param wake has the control thread look
    Heartbeats(int loops, Runnable wake) {
        this.latest = new AtomicReferenceArray<>(loops);
        this.wake = wake;
    }

    @Override
    public void beat(int loop, int connections, long requests) {
        if (latest.getAndSet(loop, new Heartbeat(loop, connections, requests)) == null) {
            wake.run();
        }
    }

    void take(Consumer<Heartbeat> sink) {
        for (int loop = 0; loop < latest.length(); loop++) {
            Heartbeat beat = latest.getAndSet(loop, null);
            if (beat != null) {
                sink.accept(beat);
            }
        }
    }
}
