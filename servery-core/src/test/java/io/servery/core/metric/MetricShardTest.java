package io.servery.core.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import io.servery.core.reason.Reason;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Recording: what each call counts, and what it costs.
class MetricShardTest {
    private static final long MILLI = 1_000_000;

    private final MetricRegistry registry = new MetricRegistry(MetricScope.http1Files());
    private final MetricShard shard = registry.loopShard();

    @Test
    void requestIsInFlightUntilItCompletes() {
        shard.requestStarted(Transport.H1);
        shard.requestStarted(Transport.H1);
        assertThat(registry.snapshot().requestsInFlight(Transport.H1)).isEqualTo(2);

        shard.requestCompleted(Transport.H1, MethodClass.SAFE, 200, WorkClass.STATIC_SMALL, 3 * MILLI, 7, 11);
        shard.requestAbandoned(Transport.H1);

        MetricSnapshot snapshot = registry.snapshot();
        assertThat(snapshot.requestsInFlight(Transport.H1)).isZero();
        assertThat(snapshot.requests(Transport.H1, MethodClass.SAFE, 200)).isEqualTo(1);
        assertThat(snapshot.requestBytes(Transport.H1, WorkClass.STATIC_SMALL)).isEqualTo(7);
        assertThat(snapshot.responseBytes(Transport.H1, WorkClass.STATIC_SMALL)).isEqualTo(11);
        assertThat(snapshot.durationSeconds(Transport.H1, WorkClass.STATIC_SMALL)).isCloseTo(.003, within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({"-1, 100", "0, 100", "99, 100", "100, 100", "599, 599", "600, 599", "2147483647, 599",
            "-2147483648, 100"})
    void statusOutsideTheRangeCountsAsTheNearest(int status, int counted) {
        complete(status, 0);

        assertThat(registry.snapshot().requests(Transport.H1, MethodClass.OTHER, counted)).isEqualTo(1);
        assertThat(codes()).containsExactly(Integer.toString(counted));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1000000, 0", "1000001, 1", "2500000, 1", "2500001, 2", "5000000, 2", "10000000, 3",
            "25000000, 4", "50000000, 5", "100000000, 6", "250000000, 7", "500000000, 8", "1000000000, 9",
            "2500000000, 10", "5000000000, 11", "10000000000, 12", "30000000000, 13", "30000000001, 14",
            "9223372036854775807, 14"})
    void durationFallsIntoTheBucketWhoseBoundIsTheFirstNotLess(long nanos, int bucket) {
        complete(200, nanos);

        List<Long> counts = registry.snapshot().durationBuckets(Transport.H1, WorkClass.STATIC_SMALL);
        assertThat(counts).hasSize(15);
        assertThat(counts.get(bucket)).isEqualTo(1);
        assertThat(counts.stream().mapToLong(Long::longValue).sum()).isEqualTo(1);
    }

    @Test
    void durationsAddUpToTheNearestMicrosecond() {
        complete(200, 1_499);
        complete(200, 1_500);

        assertThat(registry.snapshot().durationSeconds(Transport.H1, WorkClass.STATIC_SMALL))
                .isCloseTo(3e-6, within(1e-12));
    }

    @Test
    void negativeAmountNeverMakesACounterFall() {
        shard.requestCompleted(Transport.H1, MethodClass.SAFE, 200, WorkClass.STATIC_SMALL, -5 * MILLI, -1, -1);
        shard.drainForced(WorkClass.STATIC_STREAM, Reason.DEADLINE_HTTP1, -3);
        shard.logDropped(LogSink.ACCESS, LogDropReason.QUEUE_CAPACITY, -4);

        MetricSnapshot snapshot = registry.snapshot();
        assertThat(snapshot.durationSeconds(Transport.H1, WorkClass.STATIC_SMALL)).isZero();
        assertThat(snapshot.requestBytes(Transport.H1, WorkClass.STATIC_SMALL)).isZero();
        assertThat(snapshot.responseBytes(Transport.H1, WorkClass.STATIC_SMALL)).isZero();
        assertThat(snapshot.drainForced(WorkClass.STATIC_STREAM, Reason.DEADLINE_HTTP1)).isZero();
        assertThat(snapshot.logDropped(LogSink.ACCESS, LogDropReason.QUEUE_CAPACITY)).isZero();
    }

    @Test
    void connectionsAreCountedAsActiveAndInTotal() {
        shard.connectionOpened(Transport.H1);
        shard.connectionOpened(Transport.H1);
        shard.connectionClosed(Transport.H1);

        assertThat(registry.snapshot().connectionsActive(Transport.H1)).isEqualTo(1);
        assertThat(registry.snapshot().connections(Transport.H1)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Reason.class)
    void everyReasonIsCountedByTheMetricOfItsGroupAndByNoOther(Reason reason) {
        switch (reason.group()) {
            case FORCED_DRAIN -> {
                shard.drainForced(WorkClass.STATIC_STREAM, reason, 3);
                assertThat(registry.snapshot().drainForced(WorkClass.STATIC_STREAM, reason)).isEqualTo(3);
                assertThatIllegalArgumentException().isThrownBy(() -> shard.rejected(reason, Transport.H1));
            }
            case ADMISSION, DEADLINE, MALFORMED, REQUEST, STORAGE, FAULT -> {
                shard.rejected(reason, Transport.H1);
                assertThat(registry.snapshot().rejections(reason, Transport.H1)).isEqualTo(1);
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> shard.drainForced(WorkClass.STATIC_STREAM, reason, 1));
            }
            case WORKER, RELOAD, ACME -> {
                assertThatIllegalArgumentException().isThrownBy(() -> shard.rejected(reason, Transport.H1));
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> shard.drainForced(WorkClass.STATIC_STREAM, reason, 1));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Phase.class)
    void everyPhaseIsCounted(Phase phase) {
        shard.timedOut(phase, Transport.H1);

        assertThat(registry.snapshot().timeouts(phase, Transport.H1)).isEqualTo(1);
    }

    @Test
    void handshakesAreCountedByVersionResultAndResumption() {
        for (HandshakeVersion version : HandshakeVersion.values()) {
            for (HandshakeResult result : HandshakeResult.values()) {
                for (Resumed resumed : Resumed.values()) {
                    shard.handshake(version, result, resumed);
                    shard.handshake(version, result, resumed);
                    assertThat(registry.snapshot().handshakes(version, result, resumed)).isEqualTo(2);
                }
            }
        }
        assertThat(Resumed.of(true)).isEqualTo(Resumed.YES);
        assertThat(Resumed.of(false)).isEqualTo(Resumed.NO);
    }

    @Test
    void cacheGrowsAndShrinks() {
        shard.cacheOperation(CacheName.FILE, CacheResult.MISS);
        shard.cacheOperation(CacheName.FILE, CacheResult.HIT);
        shard.cacheOperation(CacheName.FILE, CacheResult.HIT);
        shard.cacheBytes(CacheName.FILE, 4096);
        shard.cacheBytes(CacheName.FILE, -1096);

        MetricSnapshot snapshot = registry.snapshot();
        assertThat(snapshot.cacheOperations(CacheName.FILE, CacheResult.HIT)).isEqualTo(2);
        assertThat(snapshot.cacheOperations(CacheName.FILE, CacheResult.MISS)).isEqualTo(1);
        assertThat(snapshot.cacheBytes(CacheName.FILE)).isEqualTo(3000);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void recordingAllocatesNothing(boolean shared) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        MetricShard recorded = shared ? registry.sharedShard() : shard;
        QueueMeter meter = registry.queue(QueueName.FILESYSTEM, 8);
        record(recorded, meter, 100_000);
        threads.getCurrentThreadAllocatedBytes();

        long before = threads.getCurrentThreadAllocatedBytes();
        record(recorded, meter, 1_000_000);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(allocated).isZero();
        assertThat(registry.snapshot().connections(Transport.H1)).isEqualTo(1_100_000);
    }

    private static void record(MetricShard shard, QueueMeter meter, int times) {
        for (int i = 0; i < times; i++) {
            shard.connectionOpened(Transport.H1);
            shard.requestStarted(Transport.H1);
            shard.handshake(HandshakeVersion.TLS_1_3, HandshakeResult.SUCCESS, Resumed.of(i % 2 == 0));
            shard.cacheOperation(CacheName.FILE, CacheResult.HIT);
            shard.cacheBytes(CacheName.FILE, 1);
            shard.rejected(Reason.NOT_FOUND, Transport.H1);
            shard.timedOut(Phase.KEEPALIVE, Transport.H1);
            shard.drainForced(WorkClass.STATIC_STREAM, Reason.DEADLINE_HTTP1, 1);
            shard.logDropped(LogSink.ACCESS, LogDropReason.QUEUE_CAPACITY, 1);
            shard.requestCompleted(Transport.H1, MethodClass.SAFE, 200 + i % 300, WorkClass.STATIC_SMALL, i, i, i);
            shard.connectionClosed(Transport.H1);
            meter.entered();
            meter.left();
        }
    }

    private void complete(int status, long nanos) {
        shard.requestStarted(Transport.H1);
        shard.requestCompleted(Transport.H1, MethodClass.OTHER, status, WorkClass.STATIC_SMALL, nanos, 0, 0);
    }

    private List<String> codes() {
        return registry.snapshot()
                .families()
                .stream()
                .filter(family -> family.metric() == MetricName.SERVERY_REQUESTS_TOTAL)
                .flatMap(family -> family.series().stream())
                .map(series -> series.labelValues().get(2))
                .toList();
    }
}
