package io.servery.core.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.reason.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// Event loops count without locks while somebody reads: nothing is lost and no counter is ever seen to fall.
class MetricRegistryConcurrencyTest {
    private static final int LOOPS = 3;
    private static final int OTHERS = 3;
    private static final int EACH = 200_000;

    private final MetricRegistry registry = new MetricRegistry(MetricScope.http1Files());

    @Test
    void nothingIsLostAndNoCounterFallsWhileLoopsAndOtherThreadsCount() throws Exception {
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < LOOPS + OTHERS; i++) {
                MetricShard shard = i < LOOPS ? registry.loopShard() : registry.sharedShard();
                writers.add(threads.submit(() -> write(shard)));
            }
            MetricSnapshot before = registry.snapshot();
            while (!writers.stream().allMatch(Future::isDone)) {
                MetricSnapshot after = registry.snapshot();
                assertNothingFell(before, after);
                before = after;
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
        }

        long all = (long) (LOOPS + OTHERS) * EACH;
        MetricSnapshot last = registry.snapshot();
        assertThat(last.requests(Transport.H1, MethodClass.SAFE, 200)).isEqualTo(all);
        assertThat(last.responseBytes(Transport.H1, WorkClass.STATIC_SMALL)).isEqualTo(10 * all);
        assertThat(last.durationBuckets(Transport.H1, WorkClass.STATIC_SMALL).getFirst()).isEqualTo(all);
        assertThat(last.rejections(Reason.NOT_FOUND, Transport.H1)).isEqualTo(all);
        assertThat(last.requestsInFlight(Transport.H1)).isZero();
        assertThat(last.cacheBytes(CacheName.FILE)).isZero();
    }

    private static void write(MetricShard shard) {
        for (int i = 0; i < EACH; i++) {
            shard.requestStarted(Transport.H1);
            shard.cacheBytes(CacheName.FILE, 100);
            shard.rejected(Reason.NOT_FOUND, Transport.H1);
            shard.cacheBytes(CacheName.FILE, -100);
            shard.requestCompleted(Transport.H1, MethodClass.SAFE, 200, WorkClass.STATIC_SMALL, 1_000, 1, 10);
        }
    }

    private static void assertNothingFell(MetricSnapshot before, MetricSnapshot after) {
        assertThat(after.requests(Transport.H1, MethodClass.SAFE, 200))
                .isGreaterThanOrEqualTo(before.requests(Transport.H1, MethodClass.SAFE, 200));
        assertThat(after.responseBytes(Transport.H1, WorkClass.STATIC_SMALL))
                .isGreaterThanOrEqualTo(before.responseBytes(Transport.H1, WorkClass.STATIC_SMALL));
        assertThat(after.durationBuckets(Transport.H1, WorkClass.STATIC_SMALL).getFirst())
                .isGreaterThanOrEqualTo(before.durationBuckets(Transport.H1, WorkClass.STATIC_SMALL).getFirst());
        assertThat(after.rejections(Reason.NOT_FOUND, Transport.H1))
                .isGreaterThanOrEqualTo(before.rejections(Reason.NOT_FOUND, Transport.H1));
    }
}
