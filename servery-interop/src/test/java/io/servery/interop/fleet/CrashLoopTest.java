package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.OsProcess;
import io.servery.interop.Site;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Workers that die again and again: more than `worker_restart_limit` of them within the window.
///
/// The long form: `-Dservery.fleet.linger=true`.
class CrashLoopTest {
    private static final int LIMIT = 2;
    private static final Duration EXIT = Duration.ofSeconds(20);
    private static final boolean LONG_FORM = Boolean.getBoolean("servery.fleet.linger");
    /// So long a service that failed stays to say why.
    private static final Duration LINGER = Duration.ofSeconds(60);
    private static final String POLICY = "worker_restart_limit = " + LIMIT
            + "\nrestart_backoff_initial = \"1ms\"\nrestart_backoff_max = \"1ms\"";
    private static final String[] TWO_WORKERS = {"workers = 2", "minimum_workers = 1", POLICY};
    private static final String[] BOTH_NEEDED = {"workers = 2", "minimum_workers = 2", POLICY};
    private static final String[] ONE_WORKER = {"workers = 1", POLICY};

    @TempDir
    Path folder;

    private Configuration configuration(String... runtime) {
        return Configuration.of(folder, Site.generate(folder.resolve("site")).root()).runtime(runtime);
    }

    /// The number of the process that is ready in a slot now.
    private static long inSlot(Service service, String slot) {
        return service.events().stream().filter(event -> event.is("worker.ready") && event.text("worker").equals(slot))
                .reduce((_, last) -> last).map(event -> Long.parseLong(event.text("pid"))).orElseThrow();
    }

    /// Kills whoever is ready in one slot, one death more than is allowed.
    private static void killAgainAndAgain(Service service, String slot) {
        for (int death = 1; death <= LIMIT + 1; death++) {
            long pid = inSlot(service, slot);
            int before = service.events().size();
            new OsProcess(pid).signal("KILL");
            service.awaitExit(pid);
            if (death <= LIMIT) {
                service.await("the replacement of " + pid, () -> !service.events("worker.ready", before).isEmpty());
            }
        }
    }

    @Test
    void loopWithoutAReloadGivesTheSlotUpAndTheOthersServe() {
        try (Service service = Service.start(configuration(TWO_WORKERS))) {
            killAgainAndAgain(service, "0");
            service.await("a slot that is given up", () -> service.metric("servery_workers{state=\"failed\"") == 1);
            assertThat(service.metric("servery_workers{state=\"ready\"")).isEqualTo(1);
            assertThat(service.workers()).hasSize(1);
            assertThat(service.ready()).as("ready: enough workers are left").isTrue();
            for (int i = 0; i < 20; i++) {
                assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
            }
            assertThat(service.events("worker.given_up", 0)).singleElement().satisfies(event -> {
                assertThat(event.text("worker")).isEqualTo("0");
                assertThat(event.text("reason")).isEqualTo("crash_loop");
                assertThat(event.text("message")).contains("more than " + LIMIT + " workers ended within 60.0 s");
            });
            assertThat(service.generation()).isEqualTo(1);
            assertThat(workersOf(service.status())).as("status").anySatisfy(worker -> {
                assertThat(worker).containsEntry("slot", 0.0).containsEntry("state", "failed");
            });
            service.signal("TERM");
            assertThat(service.exitCode(EXIT)).isZero();
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> workersOf(Map<String, Object> status) {
        return (List<Map<String, Object>>) Objects.requireNonNull(status.get("workers"));
    }

    /// A reload brings the slot back.
    @Test
    void reloadBringsASlotBackThatWasGivenUp() {
        try (Service service = Service.start(configuration(TWO_WORKERS))) {
            killAgainAndAgain(service, "1");
            service.await("a slot that is given up", () -> service.metric("servery_workers{state=\"failed\"") == 1);
            assertThat(service.run("reload").code()).isZero();
            service.settled(2);
        }
    }

    @Test
    void loopThatBeganWithAReloadIsRolledBack() {
        try (Service service = Service.start(configuration(TWO_WORKERS))) {
            Configuration usual = service.configuration();
            service.configure(usual.files("headers = { X-Configuration = \"bad\" }"));
            assertThat(service.run("reload").code()).isZero();
            service.await("the configuration that crashes", () -> service.mark().equals("bad"));
            killAgainAndAgain(service, "0");
            service.await("generation 3", () -> service.generation() == 3);
            service.settled(2);
            service.await("the configuration from before", () -> service.mark().isEmpty());
            assertThat(service.ready()).isTrue();
            assertThat(service.events("reload.rolled_back", 0)).singleElement()
                    .satisfies(event -> assertThat(event.text("reason")).isEqualTo("crash_loop"));
            assertThat(service.metric("servery_reload_total{result=\"rolled_back\"")).isEqualTo(1);
            assertThat(service.metric("servery_config_last_reload_successful")).isZero();
        }
    }

    @Test
    void onlyWorkerThatLoopsFailsTheServiceWhichStaysToSayWhy() {
        try (Service service = Service.start(configuration(ONE_WORKER))) {
            killAgainAndAgain(service, "0");
            assertFailed(service);
            service.signal("TERM");
            assertThat(service.exitCode(EXIT)).isEqualTo(1);
            assertThat(service.survivors()).isEmpty();
        }
    }

    /// The long form waits for the end of the minute; else TERM ends it.
    @Test
    void fewerWorkersThanTheMinimumFailTheServiceThoughOneIsWell() {
        try (Service service = Service.start(configuration(BOTH_NEEDED))) {
            long well = inSlot(service, "1");
            killAgainAndAgain(service, "0");
            assertFailed(service);
            Instant failed = service.events("runtime.state_changed", 0).stream()
                    .filter(event -> event.text("state").equals("failed")).findFirst().orElseThrow().at();
            assertThat(service.awaitExit(well).text("reason")).as("drained").isEqualTo("clean_exit");
            if (!LONG_FORM) {
                service.signal("TERM");
            }
            assertThat(service.exitCode(LINGER.plus(EXIT))).isEqualTo(1);
            if (LONG_FORM) {
                assertThat(Duration.between(failed, Instant.now())).as("it stayed").isBetween(LINGER,
                        LINGER.plus(EXIT));
            }
            assertThat(service.survivors()).isEmpty();
            assertThat(service.runtimeFiles()).isEmpty();
        }
    }

    /// It takes nothing more, and says why: by readiness, metric, status and event.
    private static void assertFailed(Service service) {
        service.await("the end of readiness", () -> service.adminStatus("/readyz") == 503);
        service.await("closed listeners", service::refuses);
        assertThat(service.adminStatus("/livez")).as("live").isEqualTo(200);
        assertThat(service.metric("servery_workers{state=\"failed\"")).isEqualTo(1);
        Map<String, Object> status = service.status();
        assertThat(status).containsEntry("state", "failed").containsEntry("ready", false);
        assertThat(String.valueOf(status.get("reasons"))).contains("crash_loop");
        assertThat(service.run("status", "--ready").code()).isNotZero();
        assertThat(service.events("runtime.state_changed", 0)).anySatisfy(event -> {
            assertThat(event.text("state")).isEqualTo("failed");
            assertThat(event.text("reason")).isEqualTo("crash_loop");
        });
        assertThat(service.alive()).isTrue();
    }
}
