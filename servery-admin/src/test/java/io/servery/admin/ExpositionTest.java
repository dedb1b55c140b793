package io.servery.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.admin.Exposition.Family;
import io.servery.admin.Exposition.Sample;
import io.servery.core.metric.AcmeSample;
import io.servery.core.metric.FleetCounts;
import io.servery.core.metric.FleetSample;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricShard;
import io.servery.core.metric.MethodClass;
import io.servery.core.metric.ProcessRole;
import io.servery.core.metric.ProcessSample;
import io.servery.core.metric.ReloadResult;
import io.servery.core.metric.Transport;
import io.servery.core.metric.WorkClass;
import io.servery.core.metric.WorkerState;
import io.servery.core.reason.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The printed page: what its reference promises, in both formats.
class ExpositionTest {
    private static final Set<String> BOUNDS = Set.of("0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1",
            "0.25", "0.5", "1.0", "2.5", "5.0", "10.0", "30.0", "+Inf");

    private record Row(String name, String type, Set<String> labels) {
    }

    @Test
    void everyNameOfTheReferencePageIsPrintedWithItsTypeAndExactlyItsLabels() throws IOException {
        Map<String, Family> printed = Exposition.parsePrometheus(print(ExpositionFormat.PROMETHEUS, withOneRequest()));
        List<Row> rows = referenceRows();

        assertThat(printed.keySet()).containsExactlyInAnyOrderElementsOf(rows.stream().map(Row::name).toList());
        for (Row row : rows) {
            Family family = printed.get(row.name());
            assertThat(family.type()).as(row.name()).isEqualTo(row.type());
            assertThat(family.samples()).as(row.name()).isNotEmpty().allSatisfy(sample -> {
                Set<String> labels = new HashSet<>(sample.labels().keySet());
                labels.remove("le");
                assertThat(labels).isEqualTo(row.labels());
            });
        }
    }

    @Test
    void everyServerySeriesIsPrintedFromTheStartWithZeroExceptCodes() throws IOException {
        Map<String, Family> printed = Exposition
                .parsePrometheus(print(ExpositionFormat.PROMETHEUS, Reports.ofNewWorker()));

        for (Row row : referenceRows()) {
            if (row.name().equals("servery_requests_total")) {
                assertThat(printed).doesNotContainKey(row.name());
            } else if (row.name().startsWith("servery_") && !row.name().equals("servery_build_info")
                    && !row.name().equals("servery_certificate_expiry_timestamp_seconds")) {
                assertThat(printed.get(row.name()).samples()).as(row.name()).isNotEmpty().allSatisfy(
                        sample -> assertThat(sample.value()).isZero());
            }
        }
    }

    @Test
    void histogramIsCumulativeOverTheBucketsOfTheContract() {
        MetricRegistry registry = new MetricRegistry(Reports.SCOPE);
        MetricShard shard = registry.loopShard();
        for (long millis : new long[]{1, 2, 3, 40, 40, 60_000}) {
            shard.requestCompleted(Transport.H1, MethodClass.SAFE, 200, WorkClass.STATIC_SMALL, millis * 1_000_000, 0,
                    0);
        }
        List<Sample> samples = Exposition
                .parsePrometheus(print(ExpositionFormat.PROMETHEUS, Reports.of(registry.snapshot())))
                .get("servery_request_duration_seconds")
                .samples()
                .stream()
                .filter(sample -> sample.labels().get("work_class").equals("static_small"))
                .toList();

        assertThat(samples).filteredOn(sample -> sample.name().endsWith("_bucket"))
                .extracting(sample -> sample.labels().get("le"))
                .containsExactlyInAnyOrderElementsOf(BOUNDS);
        assertThat(bucket(samples, "0.001")).isEqualTo(1);
        assertThat(bucket(samples, "0.0025")).isEqualTo(2);
        assertThat(bucket(samples, "0.005")).isEqualTo(3);
        assertThat(bucket(samples, "0.025")).isEqualTo(3);
        assertThat(bucket(samples, "0.05")).isEqualTo(5);
        assertThat(bucket(samples, "30.0")).isEqualTo(5);
        assertThat(bucket(samples, "+Inf")).isEqualTo(6);
        assertThat(single(samples, "_count")).isEqualTo(6);
        assertThat(single(samples, "_sum")).isEqualTo(60.086);
    }

    @Test
    void bothFormatsSayTheSame() {
        MetricsReport report = withOneRequest();
        Map<String, Family> prometheus = Exposition.parsePrometheus(print(ExpositionFormat.PROMETHEUS, report));
        Map<String, Family> openMetrics = Exposition.parseOpenMetrics(print(ExpositionFormat.OPENMETRICS, report));

        assertThat(openMetrics.get("servery_build").type()).isEqualTo("info");
        assertThat(samples(openMetrics)).isEqualTo(samples(prometheus));
    }

    @Test
    void textOfAJvmIsEscapedInALabel() {
        List<Sample> samples = Exposition.parsePrometheus(print(ExpositionFormat.PROMETHEUS, Reports.ofNewWorker()))
                .get("jvm_buffer_pool_used_bytes")
                .samples();

        assertThat(samples).containsExactly(new Sample("jvm_buffer_pool_used_bytes",
                Map.of("pool", "mapped - 'non-volatile memory'", "role", "worker", "slot", "0"), 4));
    }

    private static MetricsReport withOneRequest() {
        MetricRegistry registry = new MetricRegistry(Reports.SCOPE);
        registry.loopShard()
                .requestCompleted(Transport.H1, MethodClass.SAFE, 200, WorkClass.STATIC_SMALL, 1_000_000, 0, 5);
        return Reports.of(registry.snapshot());
    }

    private static byte[] print(ExpositionFormat format, MetricsReport report) {
        return format.print(report.families());
    }

    private static Set<String> samples(Map<String, Family> families) {
        Set<String> all = new TreeSet<>();
        families.values().forEach(family -> family.samples().forEach(sample -> all.add(sample.toString())));
        return all;
    }

    @Test
    void pageOfAParentHasItsWorkersTogetherItsProcessesApartAndItsFleet() {
        MetricsReport worker = Reports.of(withOneRequest().snapshot());
        FleetCounts<Integer> counts = FleetCounts.<Integer>none(Reports.SCOPE).started(0).started(1)
                .reported(0, worker.snapshot(), Optional.of(process(ProcessRole.WORKER, 0)))
                .reported(1, worker.snapshot(), Optional.of(process(ProcessRole.WORKER, 1)));
        List<ProcessSample> processes = new ArrayList<>(List.of(process(ProcessRole.PARENT, 0)));
        processes.addAll(counts.processes());
        FleetSample fleet = new FleetSample(Map.of(WorkerState.READY, 2L), 4, Map.of(Reason.UNEXPECTED_EXIT, 3L),
                Map.of(ReloadResult.SUCCESS, 1L), true, OptionalDouble.of(1.7e9));
        Map<String, Family> printed = Exposition.parsePrometheus(print(ExpositionFormat.PROMETHEUS,
                new MetricsReport(counts.total(), worker.build(), processes, Optional.of(fleet),
                        OptionalLong.of(1_800_000_000),
                        Optional.of(new AcmeSample(Map.of(Reason.RENEWED, 5L), OptionalDouble.of(1.9e9))))));

        assertThat(value(printed, "servery_requests_total", "code", "200")).isEqualTo(2);
        assertThat(printed.get("process_resident_memory_bytes").samples()).extracting(Sample::labels)
                .containsExactlyInAnyOrder(Map.of("role", "parent", "slot", "0"), Map.of("role", "worker", "slot", "0"),
                        Map.of("role", "worker", "slot", "1"));
        assertThat(value(printed, "servery_acme_attempts_total", "reason", "renewed")).isEqualTo(5);
        assertThat(value(printed, "servery_acme_attempts_total", "reason", "ca_rejected")).isZero();
        assertThat(value(printed, "servery_workers", "state", "ready")).isEqualTo(2);
        assertThat(value(printed, "servery_workers", "state", "failed")).isZero();
        assertThat(value(printed, "servery_worker_restarts_total", "reason", "unexpected_exit")).isEqualTo(3);
        assertThat(value(printed, "servery_reload_total", "result", "success")).isEqualTo(1);
        assertThat(printed.get("servery_generation").samples()).extracting(Sample::value).containsExactly(4.0);
        assertThat(printed.get("servery_config_last_reload_successful").samples()).extracting(Sample::value)
                .containsExactly(1.0);
    }

    private static ProcessSample process(ProcessRole role, int slot) {
        ProcessSample any = Reports.ofNewWorker().processes().getFirst();
        return new ProcessSample(role, slot, any.system(), any.jvm());
    }

    private static double value(Map<String, Family> printed, String family, String label, String value) {
        return printed.get(family).samples().stream().filter(one -> value.equals(one.labels().get(label))).findFirst()
                .orElseThrow().value();
    }

    private static double bucket(List<Sample> samples, String bound) {
        return samples.stream().filter(sample -> bound.equals(sample.labels().get("le"))).findFirst().orElseThrow()
                .value();
    }

    private static double single(List<Sample> samples, String suffix) {
        return samples.stream().filter(sample -> sample.name().endsWith(suffix)).findFirst().orElseThrow().value();
    }

    private static Set<String> labels(String cell) {
        return cell.isEmpty() ? Set.of() : Set.copyOf(Arrays.asList(cell.split(", ", -1)));
    }

    private static List<Row> referenceRows() throws IOException {
        return Files.readAllLines(Path.of("..", "docs", "reference", "metrics.md"))
                .stream()
                .dropWhile(line -> !line.equals("## Names"))
                .takeWhile(line -> !line.equals("## Label values"))
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("\\|", -1))
                .map(cells -> new Row(cells[1].strip().replace("`", ""), cells[2].strip(),
                        labels(cells[3].strip())))
                .toList();
    }
}
