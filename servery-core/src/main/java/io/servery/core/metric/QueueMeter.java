package io.servery.core.metric;

import java.util.concurrent.atomic.AtomicLong;

/// How full one bounded queue is, and how full it has been: any thread enters, any thread leaves.
///
/// *Not here*: the bound itself; the queue admits or refuses before it enters here.
public final class QueueMeter {
    private final QueueName queue;
    private final long capacity;
    private final long bytesCapacity;
    private final AtomicLong depth = new AtomicLong();
    private final AtomicLong highWater = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    QueueMeter(QueueName queue, long capacity, long bytesCapacity) {
        this.queue = queue;
        this.capacity = capacity;
        this.bytesCapacity = bytesCapacity;
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

    /// What is retained by the work behind the queue grew, or shrank by a negative amount.
    public void charged(long delta) {
        bytes.addAndGet(delta);
    }

    void addTo(long[] sums) {
        sums[Slots.queueDepth(queue)] += depth.get();
        sums[Slots.queueCapacity(queue)] += capacity;
        sums[Slots.queueHighWater(queue)] += highWater.get();
        sums[Slots.laneBytes(queue)] += bytes.get();
        sums[Slots.laneBytesCapacity(queue)] += bytesCapacity;
    }
}
