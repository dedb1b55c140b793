package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.servery.interop.OsProcess;
import io.servery.interop.Site;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What gives way in a worker: one that starts beside others is on half of the processors, with all that a worker has, and for the
/// start alone; in one that serves it is the threads that keep house.
@Timeout(120)
class GentleLifeTest {
    private static final String AFFINITY = "Cpus_allowed_list";
    /// Beyond the second after which a worker is silent, and the two after which it is killed.
    private static final Duration KILLED_BY = Duration.ofSeconds(4);

    @TempDir
    Path folder;

    private Site site;

    @BeforeEach
    void makeSite() {
        site = Site.generate(folder.resolve("site"));
    }

    /// The number of event loops is the parent's to count and the worker's to make: one loop for each processor here.
    @Test
    void workerOfAReloadHasTheEventLoopsThatItsParentExpects() {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "this host has one processor");
        try (Service service = Service
                .start(Configuration.of(folder, site.root()).runtime("workers = 1", "hang_timeout = \"2s\""))) {
            long loops = loops(service.worker());
            Said reload = service.run("reload");
            assertThat(reload.code()).as(reload.toString()).isZero();
            service.settled(1);
            List<Long> pids = service.workerPids();
            Awaitility.await("a worker that goes on").during(KILLED_BY).atMost(KILLED_BY.multipliedBy(2))
                    .untilAsserted(() -> {
                        assertThat(service.events("worker.silent", 0)).isEmpty();
                        assertThat(service.workerPids()).isEqualTo(pids);
                    });
            assertThat(loops(service.worker())).isEqualTo(loops);
        }
    }

    @Test
    void processorsAreTakenBackWhenItServesAndByTheCompilersLater() {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "this host has one processor");
        try (Service service = Service.start(Configuration.of(folder, site.root()).runtime("workers = 1"))) {
            String whole = service.parent().status(AFFINITY);
            assertThat(service.worker().ofThreads(AFFINITY)).as("beside nobody").isEqualTo(Set.of(whole));
            long before = service.workerPids().getFirst();
            service.signal("HUP");
            service.await("a worker beside the one that serves", () -> service.workers().stream()
                    .anyMatch(worker -> worker.pid() != before && worker.ofThreads(AFFINITY).size() == 1
                            && !worker.ofThreads(AFFINITY).contains(whole)));
            service.await("only the new one", () -> service.workers().size() == 1
                    && service.workers().getFirst().pid() != before);

            service.await("all processors", () -> service.worker().ofThreads(AFFINITY).equals(Set.of(whole)));
        }
    }

    @Test
    void whoKeepsHouseGivesWayToEventLoopsOnceTheWorkerServes() {
        try (Service service = Service.start(Configuration.of(folder, site.root()).runtime("workers = 1"))) {
            int own = service.worker().niceness("servery-loop-0");
            service.await("a thread that gives way", () -> service.worker().niceness("servery-life") > own);
            assertThat(service.worker().niceness("servery-loop-0")).as("that of an event loop").isEqualTo(own);
        }
    }

    private static long loops(OsProcess worker) {
        return worker.threadNames().stream().filter(name -> name.startsWith("servery-loop-")).count();
    }
}
