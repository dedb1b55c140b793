package io.servery.core.metric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

class QueueMeterTest {
    private final MetricRegistry registry = new MetricRegistry(MetricScope.http1Files());

    @Test
    void highWaterStaysWhenTheQueueEmpties() {
        QueueMeter meter = registry.queue(QueueName.FILESYSTEM, 256);
        meter.entered();
        meter.entered();
        meter.left();
        meter.entered();
        meter.left();
        meter.left();

        MetricSnapshot snapshot = registry.snapshot();
        assertThat(snapshot.queueDepth(QueueName.FILESYSTEM)).isZero();
        assertThat(snapshot.queueHighWater(QueueName.FILESYSTEM)).isEqualTo(2);
        assertThat(snapshot.queueCapacity(QueueName.FILESYSTEM)).isEqualTo(256);
        assertThat(snapshot.queueCapacity(QueueName.COMPUTE)).isZero();
    }

    @Test
    void highWaterIsExactWhenManyThreadsEnterAtOnce() throws Exception {
        int threads = 4;
        long each = 10_000;
        QueueMeter meter = registry.queue(QueueName.FILESYSTEM, threads * each);
        CyclicBarrier start = new CyclicBarrier(threads);
        CountDownLatch done = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            Thread.ofPlatform().start(() -> {
                try {
                    start.await();
                    for (int n = 0; n < each; n++) {
                        meter.entered();
                    }
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                } finally {
                    done.countDown();
                }
            });
        }
        done.await();

        assertThat(registry.snapshot().queueDepth(QueueName.FILESYSTEM)).isEqualTo(threads * each);
        assertThat(registry.snapshot().queueHighWater(QueueName.FILESYSTEM)).isEqualTo(threads * each);
    }
}
