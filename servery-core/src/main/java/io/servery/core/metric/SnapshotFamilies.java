package io.servery.core.metric;

import io.servery.core.reason.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;

/// The series of a snapshot: those within its scope always, the others once they have counted something; a `code`
/// with its first response.
final class SnapshotFamilies {
    private final MetricSnapshot snapshot;
    private final MetricScope scope;

    SnapshotFamilies(MetricSnapshot snapshot) {
        this.snapshot = snapshot;
        this.scope = snapshot.scope();
    }

    List<MetricFamily> all() {
        List<MetricFamily> families = new ArrayList<>();
        families.addAll(requests());
        families.addAll(connections());
        families.addAll(queues());
        families.addAll(outcomes());
        families.addAll(handshakes());
        families.addAll(caches());
        return families;
    }

    private List<MetricFamily> requests() {
        Rows<Transport> transports = new Rows<>(Transport.values(), scope.transports());
        Rows<WorkClass> workClasses = new Rows<>(WorkClass.values(), scope.workClasses());
        return List.of(new MetricFamily(MetricName.SERVERY_REQUESTS_TOTAL, codes()),
                new MetricFamily(MetricName.SERVERY_REQUEST_DURATION_SECONDS, durations()),
                single(MetricName.SERVERY_REQUESTS_IN_FLIGHT, transports, snapshot::requestsInFlight),
                pairs(MetricName.SERVERY_REQUEST_BYTES_TOTAL, transports, workClasses, snapshot::requestBytes),
                pairs(MetricName.SERVERY_RESPONSE_BYTES_TOTAL, transports, workClasses, snapshot::responseBytes));
    }

    private List<MetricFamily> connections() {
        Rows<Transport> transports = new Rows<>(Transport.values(), scope.transports());
        return List.of(single(MetricName.SERVERY_CONNECTIONS_ACTIVE, transports, snapshot::connectionsActive),
                single(MetricName.SERVERY_CONNECTIONS_TOTAL, transports, snapshot::connections));
    }

    private List<MetricFamily> queues() {
        Rows<QueueName> queues = new Rows<>(QueueName.values(), scope.queues());
        Rows<QueueName> charged = new Rows<>(List.of(QueueName.COMPUTE, QueueName.STREAM), scope.queues());
        return List.of(single(MetricName.SERVERY_QUEUE_DEPTH, queues, snapshot::queueDepth),
                single(MetricName.SERVERY_QUEUE_CAPACITY, queues, snapshot::queueCapacity),
                single(MetricName.SERVERY_QUEUE_HIGH_WATER, queues, snapshot::queueHighWater),
                single(MetricName.SERVERY_LANE_BYTES, charged, snapshot::laneBytes),
                single(MetricName.SERVERY_LANE_BYTES_CAPACITY, charged, snapshot::laneBytesCapacity));
    }

    private List<MetricFamily> outcomes() {
        Rows<Transport> transports = new Rows<>(Transport.values(), scope.transports());
        return List.of(rejections(),
                pairs(MetricName.SERVERY_TIMEOUTS_TOTAL, new Rows<>(Phase.values(), scope.phases()), transports,
                        snapshot::timeouts),
                drainForced());
    }

    /// Not there at all in a service without TLS. A success has a version, and what failed resumed nothing.
    private List<MetricFamily> handshakes() {
        List<MetricSeries> series = new ArrayList<>();
        for (HandshakeVersion version : HandshakeVersion.values()) {
            for (HandshakeResult result : HandshakeResult.values()) {
                for (Resumed resumed : Resumed.values()) {
                    long value = snapshot.handshakes(version, result, resumed);
                    boolean possible = switch (result) {
                        case SUCCESS -> version != HandshakeVersion.NONE;
                        case FAILURE -> resumed == Resumed.NO;
                    };
                    if (possible && scope.handshakes() || value != 0) {
                        series.add(new MetricSeries.Value(List.of(version.label(), result.label(), resumed.label()),
                                value));
                    }
                }
            }
        }
        return series.isEmpty()
                ? List.of()
                : List.of(new MetricFamily(MetricName.SERVERY_TLS_HANDSHAKES_TOTAL, series));
    }

    private List<MetricFamily> caches() {
        Rows<CacheName> caches = new Rows<>(CacheName.values(), scope.caches());
        return List.of(
                pairs(MetricName.SERVERY_CACHE_OPERATIONS_TOTAL, caches, Rows.all(CacheResult.values()),
                        snapshot::cacheOperations),
                single(MetricName.SERVERY_CACHE_BYTES, caches, snapshot::cacheBytes),
                pairs(MetricName.SERVERY_LOG_EVENTS_DROPPED_TOTAL, new Rows<>(LogSink.values(), scope.sinks()),
                        Rows.all(LogDropReason.values()), snapshot::logDropped));
    }

    private List<MetricSeries> codes() {
        List<MetricSeries> series = new ArrayList<>();
        for (Transport transport : Transport.values()) {
            for (MethodClass methodClass : MethodClass.values()) {
                for (int status = Slots.STATUS_MIN; status <= Slots.STATUS_MAX; status++) {
                    long value = snapshot.requests(transport, methodClass, status);
                    if (value != 0) {
                        series.add(new MetricSeries.Value(
                                List.of(transport.label(), methodClass.label(), Integer.toString(status)), value));
                    }
                }
            }
        }
        return series;
    }

    private List<MetricSeries> durations() {
        List<MetricSeries> series = new ArrayList<>();
        for (Transport transport : Transport.values()) {
            for (WorkClass workClass : WorkClass.values()) {
                List<Long> counts = snapshot.durationBuckets(transport, workClass);
                boolean expected = scope.transports().contains(transport) && scope.workClasses().contains(workClass);
                if (expected || counts.stream().anyMatch(count -> count != 0)) {
                    series.add(new MetricSeries.Histogram(List.of(transport.label(), workClass.label()),
                            DurationBuckets.seconds(), counts,
                            snapshot.durationSeconds(transport, workClass)));
                }
            }
        }
        return series;
    }

    private MetricFamily rejections() {
        List<MetricSeries> series = new ArrayList<>();
        for (Reason reason : Reason.values()) {
            for (Transport transport : Transport.values()) {
                long value = snapshot.rejections(reason, transport);
                boolean expected = reason.group().rejects() && scope.transports().contains(transport);
                if (expected || value != 0) {
                    series.add(new MetricSeries.Value(List.of(reason.code(), transport.label()), value));
                }
            }
        }
        return new MetricFamily(MetricName.SERVERY_REJECTIONS_TOTAL, series);
    }

    private MetricFamily drainForced() {
        List<MetricSeries> series = new ArrayList<>();
        for (WorkClass workClass : WorkClass.values()) {
            for (Reason reason : Reason.values()) {
                long value = snapshot.drainForced(workClass, reason);
                boolean expected = reason.group() == Reason.Group.FORCED_DRAIN
                        && scope.workClasses().contains(workClass);
                if (expected || value != 0) {
                    series.add(new MetricSeries.Value(List.of(workClass.label(), reason.code()), value));
                }
            }
        }
        return new MetricFamily(MetricName.SERVERY_DRAIN_FORCED_TOTAL, series);
    }

    private static <A extends MetricLabel> MetricFamily single(MetricName metric, Rows<A> rows,
            ToLongFunction<A> reading) {
        List<MetricSeries> series = new ArrayList<>();
        for (A row : rows.values()) {
            long value = reading.applyAsLong(row);
            if (rows.inScope(row) || value != 0) {
                series.add(new MetricSeries.Value(List.of(row.label()), value));
            }
        }
        return new MetricFamily(metric, series);
    }

    private static <A extends MetricLabel, B extends MetricLabel> MetricFamily pairs(MetricName metric, Rows<A> rows,
            Rows<B> columns, ToLongBiFunction<A, B> reading) {
        List<MetricSeries> series = new ArrayList<>();
        for (A row : rows.values()) {
            for (B column : columns.values()) {
                long value = reading.applyAsLong(row, column);
                if ((rows.inScope(row) && columns.inScope(column)) || value != 0) {
                    series.add(new MetricSeries.Value(List.of(row.label(), column.label()), value));
                }
            }
        }
        return new MetricFamily(metric, series);
    }

    /// The values of one label, in their order, and which of them are in scope.
    private record Rows<E extends MetricLabel>(List<E> values, Set<E> scope) {
        Rows(E[] values, Set<E> scope) {
            this(Arrays.asList(values), scope);
        }

        static <E extends MetricLabel> Rows<E> all(E[] values) {
            return new Rows<>(values, Set.of(values));
        }

        boolean inScope(E value) {
            return scope.contains(value);
        }
    }
}
