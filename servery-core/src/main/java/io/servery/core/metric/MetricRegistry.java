package io.servery.core.metric;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// All the counters of one worker: one shard an event loop, one for every other thread, one meter a queue.
///
/// *Owner*: shards and meters are made while the worker starts; snapshots may be taken by any thread at any time.
public final class MetricRegistry {
    private final MetricScope scope;
    private final MetricShard sharedShard = new MetricShard(true);
    private final List<MetricShard> shards = new CopyOnWriteArrayList<>(List.of(sharedShard));
    private final List<QueueMeter> meters = new CopyOnWriteArrayList<>();

    public MetricRegistry(MetricScope scope) {
        this.scope = scope;
    }

    /// A new shard for one event loop. It lasts as long as the registry: what it counted is never lost.
    public MetricShard loopShard() {
        MetricShard shard = new MetricShard(false);
        shards.add(shard);
        return shard;
    }

    /// The shard of all threads that are not an event loop.
    public MetricShard sharedShard() {
        return sharedShard;
    }

    /// A new meter for one bounded queue; several of one name add up.
    public QueueMeter queue(QueueName queue, long capacity) {
        return lane(queue, capacity, 0);
    }

    /// A new meter for one lane that charges bytes.
    public QueueMeter lane(QueueName queue, long capacity, long bytesCapacity) {
        QueueMeter meter = new QueueMeter(queue, capacity, bytesCapacity);
        meters.add(meter);
        return meter;
    }

    /// What has been counted until now. Series are read one by one while others go on counting: each is exact at the
    /// moment it is read, and none is ever less than in an earlier snapshot unless it is a gauge.
    public MetricSnapshot snapshot() {
        long[] sums = new long[Slots.TOTAL];
        for (MetricShard shard : shards) {
            shard.addTo(sums);
        }
        for (QueueMeter meter : meters) {
            meter.addTo(sums);
        }
        return new MetricSnapshot(scope, sums);
    }
}
