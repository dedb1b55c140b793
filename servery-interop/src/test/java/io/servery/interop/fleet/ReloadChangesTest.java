package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.Answer;
import io.servery.interop.Heard;
import io.servery.interop.OsProcess;
import io.servery.interop.ServeryProcess;
import io.servery.interop.Site;
import io.servery.interop.WireConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a reload applies, and how; what a rollback brings back.
class ReloadChangesTest {
    private static final String SECOND_HOST = "127.0.0.2";

    @TempDir
    static Path folder;
    private static Service service;
    private static Configuration usual;

    private int generation;
    private int events;

    @BeforeAll
    static void start() {
        Site site = Site.generate(folder.resolve("site"));
        service = Service.start(Configuration.of(folder, site.root()));
        usual = service.configuration();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    /// Whatever the test before left is served in one worker.
    @BeforeEach
    void look() {
        if (!service.configuration().equals(usual)) {
            reload(usual);
        }
        service.settled(1);
        generation = service.generation();
        events = service.events().size();
    }

    private static Said reload(Configuration next) {
        service.configure(next);
        Said said = service.run("reload");
        assertThat(said.code()).as(said + service.errorText()).isZero();
        return said;
    }

    @Test
    void reloadWithoutAChangeIsANewGeneration() {
        List<Long> pids = service.workerPids();
        Said said = service.run("reload");
        assertThat(said.code()).as(said.toString()).isZero();
        assertThat(said.output()).as("what was applied").contains("generation " + (generation + 1));
        assertThat(service.generation()).isEqualTo(generation + 1);
        assertThat(service.metric("servery_config_last_reload_successful")).isEqualTo(1);
        service.settled(1);
        assertThat(service.workerPids()).doesNotContainAnyElementsOf(pids);
        assertThat(service.events("reload.started", events)).hasSize(1);
        assertThat(service.events("reload.accepted", events)).singleElement()
                .satisfies(event -> assertThat(event.text("generation")).isEqualTo(Integer.toString(generation + 1)));
    }

    @Test
    void valueOfAGenerationKeyIsServedByNewWorkers() {
        for (int i = 0; i < 2; i++) {
            reload(usual.marked("mark-" + i));
            shows("mark-" + i);
        }
    }

    /// The limit is there at once, in the workers that ran before.
    @Test
    void valueOfAHotKeyIsAppliedWithoutANewGenerationAndItsNameIsSaid() {
        List<Long> pids = service.workerPids();
        Said said = reload(usual.resources("max_connections = 2", "keepalive_timeout = \"20s\""));
        assertThat(said.output()).as("what was applied").contains("resources.max_connections",
                "resources.keepalive_timeout");
        assertThat(service.generation()).isEqualTo(generation);
        assertThat(service.workerPids()).isEqualTo(pids);
        List<WireConnection> held = new ArrayList<>();
        try {
            service.await("the new limit", () -> refusedPast(2, held));
        } finally {
            held.forEach(WireConnection::close);
        }
        Said level = reload(usual.resources("max_connections = 100"));
        assertThat(level.output()).contains("resources.max_connections");
        service.await("room again", () -> admitted(service.connect(), new ArrayList<>()));
        assertThat(service.workerPids()).isEqualTo(pids);
    }

    /// Whether so many connections are served, and one more is not.
    private boolean refusedPast(int limit, List<WireConnection> held) {
        held.forEach(WireConnection::close);
        held.clear();
        for (int i = 0; i < limit; i++) {
            if (!admitted(service.connect(), held)) {
                return false;
            }
        }
        return !admitted(service.connect(), held);
    }

    private static boolean admitted(WireConnection connection, List<WireConnection> held) {
        held.add(connection);
        return connection.trySend("GET /hello.txt HTTP/1.1\r\nHost: localhost\r\n\r\n")
                && connection.hear() instanceof Answer answer && answer.status() == 200;
    }

    @Test
    void hotAndOtherChangesTogetherMakeAGeneration() {
        reload(usual.marked("both").resources("max_connections = 100"));
        assertThat(service.generation()).isEqualTo(generation + 1);
        shows("both");
    }

    private static boolean refused(String host, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), 1_000);
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static Answer getFrom(String host, int port) {
        try (WireConnection connection = WireConnection.open(host, port)) {
            return connection.get("/hello.txt").answer();
        }
    }

    @Test
    void addressesComeAndGoWithTheConfiguration() {
        assertThat(refused(SECOND_HOST, service.port())).isTrue();
        reload(usual.hosts(Configuration.HOST, SECOND_HOST));
        assertThat(getFrom(SECOND_HOST, service.port()).text()).isEqualTo("hello\n");
        try (WireConnection held = WireConnection.open(SECOND_HOST, service.port())) {
            assertThat(held.get("/hello.txt").answer().status()).isEqualTo(200);
            reload(usual);
            service.await("the removed address refuses", () -> refused(SECOND_HOST, service.port()));
            assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
            assertThat(held.hear()).as("the end of what was open").isEqualTo(Heard.Ending.FIN);
        }
    }

    @Test
    void portMovesAsAWhole() {
        int before = service.port();
        usual = usual.ports(ServeryProcess.freePort(), usual.adminPort());
        reload(usual);
        assertThat(service.port()).isNotEqualTo(before);
        assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
        service.await("the former port refuses", () -> refused(Configuration.HOST, before));
    }

    @Test
    void numberOfWorkersFollowsTheConfiguration() {
        reload(usual.runtime("workers = 3"));
        service.settled(3);
        assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
        reload(usual);
        service.settled(1);
        assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
    }

    /// The first is held at its barrier, by a candidate that stands still, until the others wait.
    @Test
    void reloadsThatComeMeanwhileShareOneAndAllGetTheVerdict() {
        List<Long> pids = service.workerPids();
        service.signal("HUP");
        service.await("a candidate", () -> service.workers().size() == 2);
        OsProcess candidate = service.workers().stream().filter(worker -> !pids.contains(worker.pid())).findFirst()
                .orElseThrow();
        candidate.stop();
        List<CompletableFuture<Said>> waiting = List.of(service.commands().start("reload"),
                service.commands().start("reload"), service.commands().start("reload"));
        service.await("three commands that wait", () -> service.operators() == 3);
        assertThat(service.generation()).isEqualTo(generation);
        candidate.signal("CONT");
        for (CompletableFuture<Said> each : waiting) {
            Said said = each.join();
            assertThat(said.code()).as(said.toString()).isZero();
            assertThat(said.output()).contains("generation " + (generation + 2));
        }
        service.settled(1);
        assertThat(service.generation()).as("one for HUP, one for the three commands").isEqualTo(generation + 2);
    }

    /// The file keeps what it says: a rollback is about what runs.
    @Test
    void rollbackBringsTheFormerConfigurationBackAsANewGeneration() {
        reload(usual.marked("former"));
        reload(usual.marked("latter"));
        Said said = service.run("rollback");
        assertThat(said.code()).as(said.toString()).isZero();
        shows("former");
        assertThat(service.generation()).isEqualTo(generation + 3);
        Said again = service.run("rollback");
        assertThat(again.code()).as("a rollback of the rollback: " + again).isOne();
        shows("former");
        assertThat(service.run("reload").code()).isZero();
        shows("latter");
    }

    /// Who came while the workers before let go of their sockets, milliseconds after the verdict, is still theirs.
    private void shows(String mark) {
        service.await("the configuration " + mark, Duration.ofSeconds(2), () -> service.mark().equals(mark));
    }
}
