package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.OsProcess;
import io.servery.interop.Site;
import io.servery.interop.WireConnection;
import io.servery.interop.load.Kind;
import io.servery.interop.load.Load;
import io.servery.interop.load.Lost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The service as systemd starts it: what the manager is told and when (sd_notify(3)), and sockets that it passes
/// (sd_listen_fds(3)).
class SystemdTest {
    private static final Duration EXIT = Duration.ofSeconds(20);
    private static final long WATCHDOG_MICROS = 4_000_000;
    private static final int INVALID = 78;
    private static final int FIRST_SOCKET = 3;
    /// The kernel chooses one of several sockets by the client's port (socket(7), SO_REUSEPORT): so many miss none.
    private static final int CLIENTS = 64;

    /// Few, since a single loop reads the socket: they show that nothing is refused, reset or cut, not how fast it is.
    private static final Load.Mix ONE_LOOP = new Load.Mix(1, 2, 1, 1, 1, 1);

    @TempDir
    Path folder;

    private static void assertEndsWell(Service service) {
        service.signal("TERM");
        assertThat(service.exitCode(EXIT)).as(service::errorText).isZero();
        assertThat(service.survivors()).isEmpty();
    }

    @Test
    void managerIsToldOfTheStartEachReloadWhateverCameOfItAndTheEnd() throws IOException {
        Configuration usual = Configuration.of(folder, Site.generate(folder.resolve("site")).root());
        List<String> states = new ArrayList<>(List.of("READY=1"));
        try (ServiceManager manager = ServiceManager.listening(folder);
                Service service = Service.start(usual, manager.starter(WATCHDOG_MICROS))) {
            awaitStates(service, manager, states);
            assertThat(service.parent().environmentNames()).contains("NOTIFY_SOCKET", "WATCHDOG_USEC");
            assertThat(service.worker().environmentNames()).contains("PATH").doesNotContain("NOTIFY_SOCKET",
                    "WATCHDOG_USEC");

            assertThat(service.run("reload").code()).isZero();
            states.addAll(List.of("RELOADING=1", "READY=1"));
            awaitStates(service, manager, states);

            service.configure(service.configuration().runtime("workers = 0"));
            assertThat(service.run("reload").code()).isEqualTo(INVALID);
            states.addAll(List.of("RELOADING=1", "READY=1"));
            awaitStates(service, manager, states);
            assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");

            service.await("a watchdog that is fed", manager::fed);
            assertEndsWell(service);
            states.add("STOPPING=1");
            awaitStates(service, manager, states);
            service.await("the end", () -> manager.told().getLast().equals("STATUS=stopped"));
            assertTimesOfReloads(manager);
        }
    }

    /// In the order of the reloads, and by the clock that all processes share.
    private static void assertTimesOfReloads(ServiceManager manager) {
        List<String> reloads = manager.told().stream().filter(message -> message.startsWith("RELOADING=1")).toList();
        assertThat(reloads).allMatch(message -> message.matches("RELOADING=1\tMONOTONIC_USEC=[0-9]+"));
        LongStream times = reloads.stream()
                .mapToLong(message -> Long.parseLong(message.substring(message.lastIndexOf('=') + 1)));
        // HotSpot's nanoTime is that clock on Linux.
        assertThat(times.boxed().toList()).isSorted().allMatch(time -> time < System.nanoTime() / 1000);
    }

    /// A manager that is told of a stop would kill the service that a reload brings back.
    @Test
    void drainIsNoStopToTheManager() throws IOException {
        Configuration usual = Configuration.of(folder, Site.generate(folder.resolve("site")).root());
        try (ServiceManager manager = ServiceManager.listening(folder);
                Service service = Service.start(usual, manager.starter(WATCHDOG_MICROS))) {
            assertThat(service.run("drain").code()).isZero();
            service.await("a drained service", () -> manager.told().contains("STATUS=withdrawn"));
            assertThat(manager.states()).containsExactly("READY=1");
            assertThat(service.run("reload").code()).isZero();
            service.await("a service that is back", () -> manager.told().getLast().equals("READY=1\tSTATUS=ready"));
            assertThat(manager.states()).startsWith("READY=1", "RELOADING=1", "READY=1").doesNotContain("STOPPING=1");
            assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
            assertEndsWell(service);
        }
    }

    private static void awaitStates(Service service, ServiceManager manager, List<String> states) {
        service.await("states " + states, () -> manager.states().size() >= states.size());
        assertThat(manager.states()).isEqualTo(states);
    }

    private static void assertToldNothingOfTheManager(Service service) {
        assertThat(service.parent().environmentNames()).contains("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES");
        assertThat(service.workers()).hasSize(2).allSatisfy(worker -> assertThat(worker.environmentNames())
                .contains("PATH").noneMatch(name -> name.startsWith("LISTEN_")));
    }

    /// The sockets that the manager passed, by their inodes.
    private static Set<Long> passed(Service service, int count) throws IOException {
        Set<Long> inodes = new HashSet<>();
        for (int descriptor = FIRST_SOCKET; descriptor < FIRST_SOCKET + count; descriptor++) {
            String target = Files.readSymbolicLink(Path.of("/proc", Long.toString(service.parent().pid()), "fd",
                    Integer.toString(descriptor))).toString();
            assertThat(target).startsWith("socket:[");
            inodes.add(Long.valueOf(target.replaceAll("[^0-9]", "")));
        }
        assertThat(inodes).hasSize(count);
        assertThat(service.workers()).hasSize(2)
                .allSatisfy(worker -> assertThat(worker.sockets()).containsAll(inodes));
        return inodes;
    }

    /// One worker reads it; the other takes over.
    @Test
    void socketOfTheManagerIsServedOverAReloadAndADeath() throws Exception {
        Configuration usual = Configuration.of(folder, Load.generate(folder.resolve("site")).root())
                .runtime("workers = 2").inherited("http");
        try (Service service = Service.start(usual, ServiceManager.sockets(1, "http"))) {
            assertToldNothingOfTheManager(service);
            Set<Long> before = passed(service, 1);
            List<Long> pids = service.workerPids();
            try (Load load = Load.start(service.port(), ONE_LOOP)) {
                service.await("probes", () -> load.answers(Kind.PROBE) > 0);
                Said said = service.run("reload");
                assertThat(said.code()).as(said.toString()).isZero();
                service.settled(2);
                long answered = load.answers(Kind.PROBE);
                service.await("probes after the reload", () -> load.answers(Kind.PROBE) > answered);
                load.stop();
                assertThat(load.lost()).as(() -> load + "\n" + service.errorText())
                        .allMatch(lost -> lost.what() == Lost.What.LATE);
            }
            assertThat(service.workerPids()).hasSize(2).doesNotContainAnyElementsOf(pids);
            assertToldNothingOfTheManager(service);
            assertThat(passed(service, 1)).isEqualTo(before);

            reader(service).signal("KILL");
            assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
            service.settled(2);
            assertEndsWell(service);
        }
    }

    /// The worker that has got a new connection.
    private static OsProcess reader(Service service) {
        try (WireConnection connection = service.connect()) {
            assertThat(connection.get("/hello.txt").answer().text()).isEqualTo("hello\n");
            return service.workers().stream()
                    .filter(worker -> worker.clientPorts(service.port()).contains(connection.localPort())).findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void workersShareSocketsOfOneName() throws IOException {
        Configuration usual = Configuration.of(folder, Site.generate(folder.resolve("site")).root())
                .runtime("workers = 2", "event_loops = 1").inherited("http");
        try (Service service = Service.start(usual, ServiceManager.sockets(2, "http"))) {
            Set<Long> before = passed(service, 2);
            assertEveryWorkerServes(service);
            assertThat(service.run("reload").code()).isZero();
            service.settled(2);
            assertThat(passed(service, 2)).isEqualTo(before);
            assertEveryWorkerServes(service);
            assertEndsWell(service);
        }
    }

    private static void assertEveryWorkerServes(Service service) {
        List<WireConnection> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            WireConnection client = service.connect();
            clients.add(client);
            assertThat(client.get("/hello.txt").answer().text()).isEqualTo("hello\n");
        }
        assertThat(service.workers()).hasSize(2)
                .allSatisfy(worker -> assertThat(worker.clientPorts(service.port())).isNotEmpty());
        clients.forEach(WireConnection::close);
    }
}
