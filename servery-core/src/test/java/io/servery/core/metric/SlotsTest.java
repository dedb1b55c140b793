package io.servery.core.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.reason.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The array of a shard: every series has one slot, and every slot one series.
class SlotsTest {
    private final List<Integer> gauges = new ArrayList<>();
    private final List<Integer> counters = new ArrayList<>();

    @Test
    void everySlotBelongsToExactlyOneSeriesAndGaugesComeFirst() {
        requests();
        connectionsAndOutcomes();
        queuesCachesAndLogs();
        handshakes();

        assertThat(gauges).containsExactlyInAnyOrderElementsOf(range(0, Slots.COUNTERS));
        assertThat(counters).containsExactlyInAnyOrderElementsOf(range(Slots.COUNTERS, Slots.TOTAL));
    }

    private void requests() {
        for (Transport transport : Transport.values()) {
            gauges.add(Slots.inFlight(transport));
            for (MethodClass methodClass : MethodClass.values()) {
                for (int status = 100; status <= 599; status++) {
                    counters.add(Slots.requests(transport, methodClass, status));
                }
            }
            for (WorkClass workClass : WorkClass.values()) {
                int first = Slots.durationBuckets(transport, workClass);
                counters.addAll(range(first, first + 15));
                counters.add(Slots.durationMicros(transport, workClass));
                counters.add(Slots.requestBytes(transport, workClass));
                counters.add(Slots.responseBytes(transport, workClass));
            }
        }
    }

    private void connectionsAndOutcomes() {
        for (Transport transport : Transport.values()) {
            gauges.add(Slots.connectionsActive(transport));
            counters.add(Slots.connections(transport));
            for (Reason reason : Reason.values()) {
                counters.add(Slots.rejections(reason, transport));
            }
            for (Phase phase : Phase.values()) {
                counters.add(Slots.timeouts(phase, transport));
            }
        }
        for (WorkClass workClass : WorkClass.values()) {
            for (Reason reason : Reason.values()) {
                counters.add(Slots.drainForced(workClass, reason));
            }
        }
    }

    private void queuesCachesAndLogs() {
        for (QueueName queue : QueueName.values()) {
            gauges.addAll(List.of(Slots.queueDepth(queue), Slots.queueCapacity(queue), Slots.queueHighWater(queue),
                    Slots.laneBytes(queue), Slots.laneBytesCapacity(queue)));
        }
        for (CacheName cache : CacheName.values()) {
            gauges.add(Slots.cacheBytes(cache));
            for (CacheResult result : CacheResult.values()) {
                counters.add(Slots.cacheOperations(cache, result));
            }
        }
        for (LogSink sink : LogSink.values()) {
            for (LogDropReason reason : LogDropReason.values()) {
                counters.add(Slots.logDropped(sink, reason));
            }
        }
    }

    private void handshakes() {
        for (HandshakeVersion version : HandshakeVersion.values()) {
            for (HandshakeResult result : HandshakeResult.values()) {
                for (Resumed resumed : Resumed.values()) {
                    counters.add(Slots.handshakes(version, result, resumed));
                }
            }
        }
    }

    private static List<Integer> range(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }
}
