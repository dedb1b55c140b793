package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.OsProcess;
import io.servery.interop.ServeryProcess;
import io.servery.interop.Site;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Starts and reloads that fail, at each step at which they can: what served before serves on.
class StartBarrierTest {
    private static final int CONFIGURATION = 78;

    @TempDir
    static Path folder;
    private static Service service;
    private static Configuration usual;

    private int generation;
    private List<Long> pids = List.of();
    private int events;
    private double failures;

    @BeforeAll
    static void start() {
        Site site = Site.generate(folder.resolve("site"));
        service = Service.start(Configuration.of(folder, site.root()).runtime("start_timeout = \"20s\""));
        usual = service.configuration();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @BeforeEach
    void look() {
        generation = service.generation();
        pids = service.workerPids();
        events = service.events().size();
        failures = service.metric("servery_reload_total{result=\"failure\"");
        assertThat(service.mark()).isEmpty();
    }

    @AfterEach
    void whatServedBeforeServesOn() {
        service.configure(usual);
        assertThat(service.alive()).isTrue();
        assertThat(service.ready()).isTrue();
        assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
        assertThat(service.mark()).isEmpty();
        assertThat(service.generation()).isEqualTo(generation);
        service.await("the workers from before and no others", () -> service.workerPids().equals(pids));
    }

    private void assertRejected(String reason) {
        assertThat(service.events("reload.accepted", events)).isEmpty();
        assertThat(service.metric("servery_reload_total{result=\"failure\"")).isEqualTo(failures + 1);
        assertThat(service.metric("servery_config_last_reload_successful")).isZero();
        assertThat(service.events("reload.rejected", events)).singleElement()
                .satisfies(event -> assertThat(event.text("reason")).isEqualTo(reason));
    }

    @Test
    void rootThatIsMissingAtTheStartEndsWith78AndLeavesNothing() throws IOException {
        Path own = Files.createDirectory(folder.resolve("own"));
        Configuration nowhere = Configuration.of(own, folder.resolve("nowhere")).ports(ServeryProcess.freePort(),
                ServeryProcess.freePort());
        try (Service none = Service.launch(nowhere)) {
            assertThat(none.exitCode(Service.PATIENCE)).isEqualTo(CONFIGURATION);
            assertThat(none.errorText()).contains("nowhere").doesNotContain("\tat ");
            assertThat(none.runtimeFiles()).isEmpty();
        }
    }

    @Test
    void brokenFileIsRefusedWithAllItsErrors() {
        service.configure(usual.resources("max_conections = 1", "max_fields = \"many\"").toml());
        Said check = service.run("check");
        List<String> errors = check.all().lines().filter(line -> line.contains(": error: ")).toList();
        assertThat(errors).hasSize(2);
        Said said = service.run("reload");
        assertThat(said.code()).as(said.toString()).isEqualTo(CONFIGURATION);
        assertThat(said.errors().lines()).as(said.toString()).containsAll(errors);
        assertRejected("invalid_config");
    }

    @Test
    void syntaxErrorIsRefusedWithItsPlace() {
        service.configure(usual.toml() + "\n[resources\n");
        Said said = service.run("reload");
        assertThat(said.code()).as(said.toString()).isEqualTo(CONFIGURATION);
        assertThat(said.errors()).containsPattern("\\.toml:[0-9]+:[0-9]+: error");
        assertRejected("invalid_config");
    }

    @Test
    void rootThatIsMissingAtAReloadIsRefusedByName() {
        service.configure(usual.root(folder.resolve("nowhere")));
        Said said = service.run("reload");
        assertThat(said.code()).as(said.toString()).isEqualTo(CONFIGURATION);
        assertThat(said.errors()).contains("nowhere");
        assertRejected("invalid_config");
    }

    @Test
    void changedKeyThatNeedsARestartIsRefusedByName() {
        String changed = usual.marked("restart").toml().replace(folder.resolve("state").toString(),
                folder.resolve("elsewhere").toString());
        service.configure(changed);
        Said said = service.run("reload");
        assertThat(said.code()).as(said.toString()).isEqualTo(CONFIGURATION);
        assertThat(said.errors()).contains("runtime.state_directory");
        assertRejected("invalid_config");
    }

    @Test
    void addressThatIsTakenIsRefusedByName() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            service.configure(usual.ports(taken.getLocalPort(), usual.adminPort()));
            Said said = service.run("reload");
            assertThat(said.code()).as(said.toString()).isNotZero();
            assertThat(said.errors()).contains(Integer.toString(taken.getLocalPort()));
        } finally {
            service.configure(usual);
        }
        assertThat(service.metric("servery_reload_total{result=\"failure\"")).isEqualTo(failures + 1);
    }

    /// The worker of the candidate, which must appear.
    private OsProcess candidate() {
        service.await("a candidate", () -> service.workerPids().stream().anyMatch(pid -> !pids.contains(pid)));
        return service.workers().stream().filter(worker -> !pids.contains(worker.pid())).findFirst().orElseThrow();
    }

    @Test
    void candidateThatDiesFailsTheReload() {
        service.configure(usual.marked("dies"));
        var reload = service.commands().start("reload");
        candidate().signal("KILL");
        Said said = reload.join();
        assertThat(said.code()).as(said.toString()).isNotZero();
        assertRejected("startup_failure");
    }

    @Test
    void candidateThatNeverBecomesReadyFailsTheReloadAtItsDeadline() {
        service.configure(usual.marked("stands").runtime("start_timeout = \"3s\""));
        var reload = service.commands().start("reload");
        OsProcess candidate = candidate();
        candidate.stop();
        Said said = reload.join();
        assertThat(said.code()).as(said.toString()).isNotZero();
        assertRejected("readiness_timeout");
        service.await("the end of the candidate", () -> !candidate.exists());
    }

    /// None of these reloads was accepted: what the service started with is all it has.
    @Test
    void rollbackWithoutAFormerConfigurationSaysSo() {
        Said said = service.run("rollback");
        assertThat(said.code()).as(said.toString()).isNotZero();
        assertThat(said.errors()).as(said.toString()).isNotBlank().doesNotContain("\tat ");
    }
}
