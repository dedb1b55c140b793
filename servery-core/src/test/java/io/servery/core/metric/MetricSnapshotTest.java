package io.servery.core.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.reason.Reason;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/// Snapshots add up, as the parent adds those of its workers.
class MetricSnapshotTest {
    private static final MetricScope SCOPE = MetricScope.http1Files();

    @Property(tries = 100)
    void sumDoesNotDependOnOrderOrGrouping(@ForAll long a, @ForAll long b, @ForAll long c) {
        MetricSnapshot x = worker(a);
        MetricSnapshot y = worker(b);
        MetricSnapshot z = worker(c);

        assertThat(x.plus(y).plus(z)).isEqualTo(x.plus(y.plus(z)));
        assertThat(x.plus(y)).isEqualTo(y.plus(x));
        assertThat(x.plus(MetricSnapshot.empty(SCOPE))).isEqualTo(x);
    }

    @Property(tries = 100)
    void whatADeadWorkerLeavesIsItsCountersWithoutItsGauges(@ForAll long seed) {
        MetricSnapshot alive = worker(seed);
        MetricSnapshot dead = alive.retained();

        assertThat(dead.requests(Transport.H1, MethodClass.SAFE, 200))
                .isEqualTo(alive.requests(Transport.H1, MethodClass.SAFE, 200))
                .isPositive();
        assertThat(dead.connections(Transport.H1)).isEqualTo(alive.connections(Transport.H1)).isPositive();
        assertThat(dead.rejections(Reason.BAD_FIELD, Transport.H1))
                .isEqualTo(alive.rejections(Reason.BAD_FIELD, Transport.H1));
        assertThat(alive.connectionsActive(Transport.H1)).isPositive();
        assertThat(dead.connectionsActive(Transport.H1)).isZero();
        assertThat(dead.requestsInFlight(Transport.H1)).isZero();
        assertThat(dead.cacheBytes(CacheName.FILE)).isZero();
        assertThat(dead.queueCapacity(QueueName.FILESYSTEM)).isZero();
        assertThat(dead.retained()).isEqualTo(dead);
    }

    @Test
    void snapshotStaysAsItWasTaken() {
        MetricRegistry registry = new MetricRegistry(SCOPE);
        MetricShard shard = registry.loopShard();
        shard.connectionOpened(Transport.H1);
        MetricSnapshot first = registry.snapshot();
        MetricSnapshot sum = first.plus(first);
        shard.connectionOpened(Transport.H1);

        assertThat(first.connections(Transport.H1)).isEqualTo(1);
        assertThat(sum.connections(Transport.H1)).isEqualTo(2);
    }

    @Test
    void sumCoversWhatEitherScopeAnnounced() {
        MetricScope none = new MetricScope(Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Set.of());

        assertThat(MetricSnapshot.empty(none).plus(MetricSnapshot.empty(SCOPE)).scope()).isEqualTo(SCOPE);
        assertThat(MetricSnapshot.empty(SCOPE).plus(MetricSnapshot.empty(none)).scope()).isEqualTo(SCOPE);
    }

    private static MetricSnapshot worker(long seed) {
        Random random = new Random(seed);
        MetricRegistry registry = new MetricRegistry(SCOPE);
        MetricShard shard = registry.loopShard();
        registry.queue(QueueName.FILESYSTEM, 1 + random.nextInt(100)).entered();
        for (int i = 1 + random.nextInt(20); i > 0; i--) {
            shard.connectionOpened(Transport.H1);
            shard.requestStarted(Transport.H1);
            shard.requestCompleted(Transport.H1, MethodClass.SAFE, 200, WorkClass.STATIC_SMALL,
                    random.nextInt(1_000_000_000), random.nextInt(1000), random.nextInt(1000));
            registry.sharedShard().requestStarted(Transport.H1);
            registry.sharedShard().rejected(Reason.BAD_FIELD, Transport.H1);
            registry.sharedShard().cacheBytes(CacheName.FILE, random.nextInt(1000));
        }
        return registry.snapshot();
    }
}
