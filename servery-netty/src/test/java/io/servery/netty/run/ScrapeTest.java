package io.servery.netty.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.admin.MetricsGathering;
import io.servery.admin.MetricsReport;
import io.servery.core.metric.AcmeSample;
import io.servery.core.metric.BuildInfo;
import io.servery.core.metric.FleetSample;
import io.servery.core.metric.MetricScope;
import io.servery.core.metric.MetricSnapshot;
import io.servery.core.metric.ProcessRole;
import io.servery.core.metric.ProcessSample;
import io.servery.netty.observe.ProcessSampler;
import io.servery.supervisor.loop.FleetReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// A scrape of a parent whose loop answers, is late, or is no more.
class ScrapeTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final MetricsReport REPORT = new MetricsReport(MetricSnapshot.empty(MetricScope.http1FilesTls()),
            new BuildInfo("1", "25", "4"), List.of());

    private final CompletableFuture<FleetReport> asked = new CompletableFuture<>();

    @Test
    void answerOfTheLoopIsReported() {
        asked.complete(new FleetReport(MetricSnapshot.empty(MetricScope.http1FilesTls()), List.of(),
                new FleetSample(Map.of(), 0, Map.of(), Map.of(), false, OptionalDouble.empty())));
        assertThat(Scrape.await(asked, LONG, _ -> REPORT)).isSameAs(REPORT);
    }

    /// The admin listener answers before the loop begins.
    @Test
    void whatNeedsNoLoopIsAnsweredBeforeThereIsOne() {
        ProcessSample parent = new ProcessSampler(ProcessRole.PARENT, 0, () -> -1).sample();
        AcmeSample acme = new AcmeSample(Map.of(), OptionalDouble.empty());
        MetricsReport report = Scrape.beforeLoop(REPORT.build(), parent, OptionalLong.of(7), acme);
        assertThat(report.processes()).containsExactly(parent);
        assertThat(report.build()).isEqualTo(REPORT.build());
        assertThat(report.certificateExpiry()).hasValue(7);
        assertThat(report.acme()).contains(acme);
        assertThat(report.fleet()).as("nobody has looked after a fleet yet").isEmpty();
        assertThat(report.snapshot().families()).as("from the start")
                .isNotEmpty();
    }

    @Test
    void loopThatIsLateIsNamedWithItsTimeAndWhatToDo() {
        assertThat(Scrape.await(asked, Duration.ofMillis(20), _ -> REPORT))
                .isInstanceOfSatisfying(MetricsGathering.Late.class, late -> assertThat(late.message())
                        .contains("control loop within 20 ms").contains("scrape again").doesNotContain("\n"));
    }

    @Test
    void loopThatHasEndedIsNoBug() {
        asked.completeExceptionally(new IllegalStateException("the loop of the parent has ended"));
        assertThat(Scrape.await(asked, LONG, _ -> REPORT)).isEqualTo(Scrape.ENDED);
    }

    @Test
    void listenerThatIsClosedMeanwhileInterruptsTheWait() {
        Thread.currentThread().interrupt();
        assertThat(Scrape.await(asked, LONG, _ -> REPORT)).isInstanceOf(MetricsGathering.Late.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
