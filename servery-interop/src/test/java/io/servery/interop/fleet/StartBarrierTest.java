package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.servery.interop.OsProcess;
import io.servery.interop.ServeryProcess;
import io.servery.interop.Site;
import io.servery.interop.WireConnection;
import io.servery.interop.load.Kind;
import io.servery.interop.load.Load;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Starts and reloads that fail, at each step at which they can: what served before serves on.
class StartBarrierTest {
    private static final int FAILED = 1;
    private static final int CONFIGURATION = 78;
    private static final String TWO_CANDIDATES = "workers = 2\nforce_timeout = \"1s\"";
    private static final String SECOND_HOST = "127.0.0.2";

    @TempDir
    static Path folder;
    private static Service service;
    private static Configuration usual;

    private int generation;
    private List<Long> pids = List.of();
    private int descriptors;
    private List<String> files = List.of();
    private int events;
    private double failures;
    private @Nullable Load load;

    @BeforeAll
    static void start() {
        Site site = Load.generate(folder.resolve("site"));
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
        descriptors = service.parent().descriptors();
        files = service.runtimeFiles();
        events = service.events().size();
        failures = service.metric("servery_reload_total{result=\"failure\"");
        assertThat(service.mark()).isEmpty();
        load = Load.start(service.port(), Load.Mix.PROBES_ONLY);
    }

    @AfterEach
    void whatServedBeforeServesOnAndNothingElseIsLeft() throws InterruptedException {
        Load probes = Objects.requireNonNull(load);
        probes.stop();
        assertThat(probes.lost()).as(probes.toString()).isEmpty();
        assertThat(probes.answers(Kind.PROBE)).isPositive();
        service.configure(usual);
        assertThat(service.alive()).isTrue();
        assertThat(service.ready()).isTrue();
        assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
        assertThat(service.mark()).isEmpty();
        assertThat(service.generation()).isEqualTo(generation);
        service.await("the workers from before and no others", () -> service.workerPids().equals(pids));
        service.await("the descriptors from before", () -> service.parent().descriptors() <= descriptors);
        assertThat(service.runtimeFiles()).isEqualTo(files);
    }

    /// The verdict, in the code and the words of the command, in the event and in the metrics.
    private void assertRejected(Said said, int code, String reason, String cause) {
        assertThat(said.code()).as(said.toString()).isEqualTo(code);
        assertThat(said.errors()).contains(cause).doesNotContain("\tat ");
        assertThat(service.events("reload.accepted", events)).isEmpty();
        assertThat(service.metric("servery_reload_total{result=\"failure\"")).isEqualTo(failures + 1);
        assertThat(service.metric("servery_config_last_reload_successful")).isZero();
        assertThat(service.events("reload.rejected", events)).singleElement().satisfies(event -> {
            assertThat(event.text("reason")).isEqualTo(reason);
            assertThat(event.text("message")).contains(cause);
        });
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
        assertThat(said.errors().lines()).as(said.toString()).containsAll(errors);
        assertRejected(said, CONFIGURATION, "invalid_config", "max_conections");
    }

    @Test
    void syntaxErrorIsRefusedWithItsPlace() {
        service.configure(usual.toml() + "\n[resources\n");
        Said said = service.run("reload");
        assertThat(said.errors()).containsPattern("\\.toml:[0-9]+:[0-9]+: error");
        assertRejected(said, CONFIGURATION, "invalid_config", ".toml:");
    }

    @Test
    void rootThatIsMissingAtAReloadIsRefusedByName() {
        service.configure(usual.root(folder.resolve("nowhere")));
        assertRejected(service.run("reload"), CONFIGURATION, "invalid_config", "nowhere");
    }

    @Test
    void changedKeyThatNeedsARestartIsRefusedByName() {
        String changed = usual.marked("restart").toml().replace(folder.resolve("state").toString(),
                folder.resolve("elsewhere").toString());
        service.configure(changed);
        assertRejected(service.run("reload"), CONFIGURATION, "invalid_config", "runtime.state_directory");
    }

    @Test
    void addressThatIsTakenIsRefusedByName() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            service.configure(usual.ports(taken.getLocalPort(), usual.adminPort()));
            assertRejected(service.run("reload"), CONFIGURATION, "invalid_config",
                    Integer.toString(taken.getLocalPort()));
        }
    }

    /// A configuration that would serve, at one address more.
    private static Configuration sound(String mark) {
        return usual.marked(mark).hosts(Configuration.HOST, SECOND_HOST);
    }

    private static void assertClosed() {
        assertThatThrownBy(() -> WireConnection.open(SECOND_HOST, service.port()).close())
                .as("what was bound for the candidate").isInstanceOf(UncheckedIOException.class);
    }

    /// The first worker of the candidate of which this holds, which must appear.
    private OsProcess candidate(String what, Predicate<OsProcess> wanted) {
        service.await(what, () -> candidates().anyMatch(wanted));
        return candidates().filter(wanted).findFirst().orElseThrow();
    }

    private Stream<OsProcess> candidates() {
        return service.workers().stream().filter(worker -> !pids.contains(worker.pid()));
    }

    /// How far a candidate has come, as the host shows it.
    enum Progress implements Predicate<OsProcess> {
        SPAWNED {
            @Override
            public boolean test(OsProcess worker) {
                return true;
            }
        },
        HOLDS_ITS_SOCKETS {
            @Override
            public boolean test(OsProcess worker) {
                return worker.sockets().stream().filter(service.parent().sockets()::contains).count() > 1;
            }
        },
        HAS_ITS_LOOPS {
            @Override
            public boolean test(OsProcess worker) {
                return worker.threadNames().stream().anyMatch(name -> name.startsWith("servery-loop"));
            }
        }
    }

    /// A candidate that has come so far; the other one stands still, so that the barrier cannot be passed meanwhile.
    private OsProcess beside(OsProcess held, Progress progress) {
        held.stop();
        return candidate("another candidate: " + progress, progress.and(Predicate.isEqual(held).negate()));
    }

    @ParameterizedTest
    @EnumSource
    void oneOfTwoCandidatesThatDiesFailsTheReload(Progress progress) {
        service.configure(sound("dies").runtime(TWO_CANDIDATES));
        var reload = service.commands().start("reload");
        beside(candidate("a candidate", Progress.SPAWNED), progress).signal("KILL");
        assertRejected(reload.join(), FAILED, "startup_failure", "was killed by signal 9 before it was ready");
        assertClosed();
    }

    /// The other one comes as far as it can, and waits.
    @ParameterizedTest
    @CsvSource({"SPAWNED, 3", "HOLDS_ITS_SOCKETS, 15"})
    void oneOfTwoCandidatesThatStandsStillFailsTheReloadAtItsDeadline(Progress progress, int seconds) {
        service.configure(sound("stands").runtime(TWO_CANDIDATES, "start_timeout = \"" + seconds + "s\""));
        var reload = service.commands().start("reload");
        OsProcess other = candidate("a candidate", Progress.SPAWNED);
        beside(other, progress).stop();
        other.signal("CONT");
        assertRejected(reload.join(), FAILED, "readiness_timeout", "within " + seconds + ".0 s");
        assertClosed();
        service.await("the end of both", () -> candidates().findAny().isEmpty());
    }

    /// None of these reloads was accepted: what the service started with is all it has.
    @Test
    void rollbackWithoutAFormerConfigurationSaysSo() {
        Said said = service.run("rollback");
        assertThat(said.code()).as(said.toString()).isNotZero();
        assertThat(said.errors()).as(said.toString()).isNotBlank().doesNotContain("\tat ");
    }
}
