package io.servery.core.metric;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.reason.Reason;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/// Which series there are: all of the scope from the start, and never one more than the enumerations allow.
class SnapshotFamiliesTest {
    private static final MetricScope SCOPE = MetricScope.http1Files();
    private static final MetricScope TLS = MetricScope.http1FilesTls();

    @Test
    void everySeriesOfTheScopeExistsFromTheStartWithZeroExceptCodes() {
        Map<MetricName, MetricFamily> families = families(new MetricRegistry(TLS).snapshot());

        assertThat(families.keySet()).containsExactlyInAnyOrderElementsOf(
                Arrays.stream(MetricName.values()).filter(SnapshotFamiliesTest::ofSnapshot).toList());
        assertThat(families.get(MetricName.SERVERY_REQUESTS_TOTAL).series()).isEmpty();
        families.values().stream().flatMap(family -> family.series().stream()).forEach(series -> {
            switch (series) {
                case MetricSeries.Value(var _, var value) -> assertThat(value).isZero();
                case MetricSeries.Histogram(var _, var bounds, var counts, var sum) -> {
                    assertThat(bounds).containsExactly(.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1., 2.5, 5.,
                            10., 30.);
                    assertThat(counts).hasSize(15).containsOnly(0L);
                    assertThat(sum).isZero();
                }
                case MetricSeries.Summary _ -> throw new AssertionError("a snapshot has no summaries");
            }
        });
    }

    @Test
    void labelValuesOfTheStartAreExactlyThoseOfTheScope() {
        Map<MetricName, MetricFamily> families = families(new MetricRegistry(SCOPE).snapshot());
        Set<String> h1 = Set.of("h1");
        Set<String> work = Set.of("static_small", "static_stream", "listing");

        for (MetricName perWork : List.of(MetricName.SERVERY_REQUEST_DURATION_SECONDS,
                MetricName.SERVERY_REQUEST_BYTES_TOTAL, MetricName.SERVERY_RESPONSE_BYTES_TOTAL)) {
            assertThat(labels(families.get(perWork))).isEqualTo(product(h1, work));
        }
        for (MetricName perTransport : List.of(MetricName.SERVERY_REQUESTS_IN_FLIGHT,
                MetricName.SERVERY_CONNECTIONS_ACTIVE, MetricName.SERVERY_CONNECTIONS_TOTAL)) {
            assertThat(labels(families.get(perTransport))).isEqualTo(product(h1));
        }
        assertThat(labels(families.get(MetricName.SERVERY_TIMEOUTS_TOTAL)))
                .isEqualTo(product(Set.of("head", "body", "write", "keepalive", "drain"), h1));
        assertThat(labels(families.get(MetricName.SERVERY_CACHE_OPERATIONS_TOTAL)))
                .isEqualTo(product(Set.of("file", "compression", "digest"),
                        Set.of("hit", "miss", "evicted", "rejected")));
        assertThat(labels(families.get(MetricName.SERVERY_QUEUE_HIGH_WATER)))
                .isEqualTo(product(Set.of("filesystem", "compute")));
        assertThat(labels(families.get(MetricName.SERVERY_LANE_BYTES_CAPACITY))).isEqualTo(product(Set.of("compute")));
        assertThat(labels(families.get(MetricName.SERVERY_LOG_EVENTS_DROPPED_TOTAL))).isEqualTo(
                product(Set.of("access", "event"), Set.of("queue_capacity", "rate_limit", "write_failure")));
    }

    @Test
    void handshakesAreThereWithTlsAlone() {
        Map<MetricName, MetricFamily> plain = families(new MetricRegistry(SCOPE).snapshot());
        Map<MetricName, MetricFamily> tls = families(new MetricRegistry(TLS).snapshot());

        assertThat(plain).doesNotContainKey(MetricName.SERVERY_TLS_HANDSHAKES_TOTAL);
        assertThat(labels(tls.get(MetricName.SERVERY_TLS_HANDSHAKES_TOTAL))).containsExactlyInAnyOrder(
                List.of("none", "failure", "no"), List.of("1.2", "failure", "no"), List.of("1.3", "failure", "no"),
                List.of("1.2", "success", "no"), List.of("1.2", "success", "yes"), List.of("1.3", "success", "no"),
                List.of("1.3", "success", "yes"));
        assertThat(labels(tls.get(MetricName.SERVERY_TIMEOUTS_TOTAL))).contains(List.of("handshake", "h1"));
        assertThat(SCOPE.plus(TLS)).isEqualTo(TLS);
    }

    @Test
    void handshakeThatIsCountedWithoutTlsInScopeIsShownAllTheSame() {
        MetricRegistry registry = new MetricRegistry(SCOPE);
        registry.sharedShard().handshake(HandshakeVersion.TLS_1_3, HandshakeResult.SUCCESS, Resumed.YES);

        assertThat(labels(families(registry.snapshot()).get(MetricName.SERVERY_TLS_HANDSHAKES_TOTAL)))
                .containsExactly(List.of("1.3", "success", "yes"));
    }

    @Test
    void everyReasonHasItsSeriesFromTheStartInTheMetricOfItsGroup() {
        Map<MetricName, MetricFamily> families = families(new MetricRegistry(SCOPE).snapshot());

        for (Reason reason : Reason.values()) {
            boolean rejects = switch (reason.group()) {
                case ADMISSION, DEADLINE, MALFORMED, REQUEST, STORAGE, FAULT -> true;
                case FORCED_DRAIN, WORKER, RELOAD, ACME -> false;
            };
            assertThat(labels(families.get(MetricName.SERVERY_REJECTIONS_TOTAL))
                    .contains(List.of(reason.code(), "h1"))).as(reason.code()).isEqualTo(rejects);
            assertThat(labels(families.get(MetricName.SERVERY_DRAIN_FORCED_TOTAL))
                    .contains(List.of("static_stream", reason.code()))).as(reason.code())
                    .isEqualTo(reason.group() == Reason.Group.FORCED_DRAIN);
        }
    }

    @Test
    void whatIsCountedOutsideTheScopeIsShownAllTheSame() {
        MetricRegistry registry = new MetricRegistry(SCOPE);
        registry.loopShard().requestCompleted(Transport.H2, MethodClass.SAFE, 200, WorkClass.UPLOAD, 0, 5, 0);
        Map<MetricName, MetricFamily> families = families(registry.snapshot());

        assertThat(labels(families.get(MetricName.SERVERY_REQUEST_DURATION_SECONDS))).contains(List.of("h2", "upload"));
        assertThat(labels(families.get(MetricName.SERVERY_REQUEST_BYTES_TOTAL))).contains(List.of("h2", "upload"));
        assertThat(labels(families.get(MetricName.SERVERY_RESPONSE_BYTES_TOTAL)))
                .doesNotContain(List.of("h2", "upload"));
    }

    @Property(tries = 300)
    void noSequenceOfRequestsAddsALabelOutsideTheEnumerations(@ForAll Transport transport,
            @ForAll MethodClass methodClass, @ForAll WorkClass workClass, @ForAll Set<Integer> statuses,
            @ForAll long nanos) {
        MetricRegistry registry = new MetricRegistry(SCOPE);
        MetricShard shard = registry.loopShard();
        for (int status : statuses) {
            shard.requestCompleted(transport, methodClass, status, workClass, nanos, nanos, nanos);
        }

        for (MetricFamily family : registry.snapshot().families()) {
            for (MetricSeries series : family.series()) {
                for (int i = 0; i < series.labelValues().size(); i++) {
                    assertThat(series.labelValues().get(i)).isIn(allowed(family.metric().labels().get(i)));
                }
            }
        }
    }

    private static Set<String> allowed(String label) {
        return switch (label) {
            case "lane" -> Set.of("compute", "stream");
            case "transport" -> words(Transport.values());
            case "method_class" -> words(MethodClass.values());
            case "work_class" -> words(WorkClass.values());
            case "phase" -> words(Phase.values());
            case "queue" -> words(QueueName.values());
            case "cache" -> words(CacheName.values());
            case "result" -> words(CacheResult.values());
            case "sink" -> words(LogSink.values());
            case "reason" -> union(words(LogDropReason.values()),
                    Arrays.stream(Reason.values()).map(Reason::code).toList());
            case "code" -> Set.copyOf(Stream.iterate(100, code -> code + 1).limit(500).map(String::valueOf).toList());
            default -> Set.of();
        };
    }

    private static Set<String> words(MetricLabel... labels) {
        return Set.copyOf(Arrays.stream(labels).map(MetricLabel::label).toList());
    }

    private static Set<String> union(Set<String> left, List<String> right) {
        Set<String> both = new HashSet<>(left);
        both.addAll(right);
        return both;
    }

    private static boolean ofSnapshot(MetricName metric) {
        return switch (metric) {
            case SERVERY_BUILD_INFO, SERVERY_WORKERS, SERVERY_GENERATION, SERVERY_WORKER_RESTARTS_TOTAL,
                    SERVERY_RELOAD_TOTAL, SERVERY_CONFIG_LAST_RELOAD_SUCCESSFUL,
                    SERVERY_CONFIG_LAST_RELOAD_SUCCESS_TIMESTAMP_SECONDS,
                    SERVERY_CERTIFICATE_EXPIRY_TIMESTAMP_SECONDS, SERVERY_ACME_ATTEMPTS_TOTAL,
                    SERVERY_ACME_NEXT_ATTEMPT_TIMESTAMP_SECONDS ->
                false;
            default -> metric.exposedName().startsWith("servery_");
        };
    }

    private static Map<MetricName, MetricFamily> families(MetricSnapshot snapshot) {
        return snapshot.families().stream().collect(toMap(MetricFamily::metric, Function.identity()));
    }

    private static Set<List<String>> labels(MetricFamily family) {
        return Set.copyOf(family.series().stream().map(MetricSeries::labelValues).toList());
    }

    private static Set<List<String>> product(Set<String> values) {
        return Set.copyOf(values.stream().map(List::of).toList());
    }

    private static Set<List<String>> product(Set<String> left, Set<String> right) {
        return Set.copyOf(left.stream().flatMap(a -> right.stream().map(b -> List.of(a, b))).toList());
    }
}
