package io.servery.core.metric;

import java.util.concurrent.atomic.AtomicLong;

/// How full one bounded queue is, and how full it has been: any thread enters, any thread leaves.
///
/// *Not here*: the bound itself; the queue admits or refuses before it enters here.
public final class QueueMeter {
    private final QueueName queue;
    private final long capacity;
    private final AtomicLong depth = new AtomicLong();
    private final AtomicLong highWater = new AtomicLong();

    QueueMeter(QueueName queue, long capacity) {
        this.queue = queue;
        this.capacity = capacity;
    }

    /// One item was queued.
    public void entered() {
        long now = depth.incrementAndGet();
        long high = highWater.get();
        while (now > high && !highWater.compareAndSet(high, now)) {
            high = highWater.get();
        }
    }

    /// One item left the queue.
    public void left() {
        depth.decrementAndGet();
    }

    void addTo(long[] sums) {
        sums[Slots.queueDepth(queue)] += depth.get();
        sums[Slots.queueCapacity(queue)] += capacity;
        sums[Slots.queueHighWater(queue)] += highWater.get();
    }
}
