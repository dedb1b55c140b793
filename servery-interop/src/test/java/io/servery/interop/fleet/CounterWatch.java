package io.servery.interop.fleet;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Reads `/metrics` again and again, and keeps every counter that fell.
public final class CounterWatch implements AutoCloseable {
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final Duration END = Duration.ofSeconds(20);

    private final Service service;
    private final Queue<String> fallen = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean over;
    private final AtomicInteger pages = new AtomicInteger();

    private CounterWatch(Service service) {
        this.service = service;
        this.thread = Thread.ofPlatform().daemon().name("counters").unstarted(this::watch);
    }

    public static CounterWatch start(Service service) {
        CounterWatch watch = new CounterWatch(service);
        watch.thread.start();
        return watch;
    }

    private void watch() {
        try {
            Metrics before = service.metrics();
            while (!over) {
                LockSupport.parkNanos(PERIOD_NANOS);
                Metrics now = service.metrics();
                fallen.addAll(now.fallenSince(before));
                before = now;
                pages.incrementAndGet();
            }
        } catch (RuntimeException | AssertionError e) {
            fallen.add("/metrics: " + e);
        }
    }

    /// Every fall that was seen.
    public List<String> stop() throws InterruptedException {
        over = true;
        if (!thread.join(END) || pages.get() == 0) {
            throw new AssertionError("the watch of the counters read " + pages + " pages and did not end");
        }
        return List.copyOf(fallen);
    }

    @Override
    public void close() {
        over = true;
    }
}
