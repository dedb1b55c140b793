package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.load.Kind;
import io.servery.interop.load.Load;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Workers that are well and are replaced all the same, under traffic: one after the other, the replacement first, and no
/// client notices.
class RecyclingTest {
    private static final int WORKERS = 2;
    private static final int RECYCLED = 2;
    private static final Duration AGE_MAX = Duration.ofSeconds(2);
    /// With a jitter of a half.
    private static final Duration AGE_MIN = AGE_MAX.dividedBy(2);
    /// Events are told some moments after what they tell of.
    private static final Duration TOLD_WITHIN = Duration.ofMillis(200);

    @TempDir
    Path folder;

    @Test
    void workersOfAnAgeAreReplacedAndNothingIsLost() throws InterruptedException {
        List<Event> events = recycle("recycle_age", "worker_max_age = \"" + AGE_MAX.toMillis() + "ms\"",
                "worker_max_age_jitter = 0.5");
        for (Event exited : exits(events)) {
            Event ready = ready(events, exited);
            Event due = events.stream().skip(events.indexOf(ready))
                    .filter(event -> event.is("worker.restarted") && event.sameWorker(exited)).findFirst()
                    .orElseThrow();
            assertThat(Duration.between(ready.at(), due.at())).as("age of the worker of " + exited)
                    .isGreaterThan(AGE_MIN.minus(TOLD_WITHIN));
        }
    }

    @Test
    void workersThatHaveAnsweredEnoughAreReplacedAndNothingIsLost() throws InterruptedException {
        recycle("recycle_requests", "max_requests_per_worker = 200");
    }

    /// Until two workers have been replaced.
    ///
    /// @return all events
    private List<Event> recycle(String reason, String first, String... more) throws InterruptedException {
        Configuration configuration = Configuration.of(folder, Load.generate(folder.resolve("site")).root()).runtime(
                "workers = " + WORKERS, "drain_timeout = \"10s\"", first, String.join("\n", more));
        try (Service service = Service.start(configuration);
                Load load = Load.start(service.port(), Load.Mix.USUAL)) {
            AtomicInteger most = new AtomicInteger();
            service.await("the ends of " + RECYCLED + " workers", () -> {
                most.accumulateAndGet(service.workers().size(), Math::max);
                return exits(service.events()).size() >= RECYCLED;
            });
            load.stop();
            List<Event> events = service.events();
            assertThat(load.lost()).as(() -> load + "\n" + service.errorText()).isEmpty();
            for (Kind kind : Kind.values()) {
                assertThat(load.answers(kind)).as(kind.toString()).isPositive();
            }
            assertThat(most.get()).as("processes at once").isEqualTo(WORKERS + 1);
            assertThat(exits(events)).allSatisfy(exited -> {
                assertThat(exited.text("reason")).isEqualTo(reason);
                assertReplacedBefore(events, exited);
            });
            service.await("every answer counted, those of workers that are gone too",
                    () -> service.metric("servery_requests_total") >= answers(load));
            Metrics after = service.metrics();
            double replaced = after.sum("servery_worker_restarts_total", "reason=\"" + reason + "\"");
            assertThat(replaced).isGreaterThanOrEqualTo(RECYCLED);
            assertThat(after.sum("servery_worker_restarts_total")).as("restarts for any reason").isEqualTo(replaced);
            assertThat(after.sum("servery_drain_forced_total")).as("forced work").isZero();
            assertThat(after.sum("servery_generation")).as("generation").isEqualTo(1);
            return events;
        }
    }

    private static long answers(Load load) {
        return Arrays.stream(Kind.values()).mapToLong(load::answers).sum();
    }

    private static List<Event> exits(List<Event> events) {
        return events.stream().filter(event -> event.is("worker.exited")).toList();
    }

    /// When the process of this end was ready.
    private static Event ready(List<Event> events, Event exited) {
        return only(events, event -> event.is("worker.ready") && event.text("pid").equals(exited.text("pid")));
    }

    private static Event only(List<Event> events, Predicate<Event> wanted) {
        List<Event> found = events.stream().filter(wanted).toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    /// Another was ready in its place before it ended.
    private static void assertReplacedBefore(List<Event> events, Event exited) {
        List<Event> between = events.subList(events.indexOf(ready(events, exited)) + 1, events.indexOf(exited));
        assertThat(between).as("before " + exited)
                .anyMatch(event -> event.is("worker.ready") && event.sameWorker(exited));
    }
}
