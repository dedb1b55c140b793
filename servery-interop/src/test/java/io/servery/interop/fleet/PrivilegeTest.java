package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.servery.interop.OsProcess;
import io.servery.interop.ServeryProcess;
import io.servery.interop.Site;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Started by root, a service serves as somebody else.
class PrivilegeTest {
    private static final String USER = "nobody";
    private static final String NONE = "0000000000000000";
    /// CAP_NET_BIND_SERVICE of capabilities(7).
    private static final String BIND_SERVICE = "0000000000000400";

    @TempDir
    static Path folder;
    private static Service service;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root may become somebody else");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Site site = Site.generate(folder.resolve("site"));
        for (Path needed : new Path[]{ServeryProcess.JAR, Path.of(ServeryProcess.java())}) {
            assumeTrue(new ProcessBuilder("setpriv", "--reuid=" + USER, "--clear-groups", "test", "-r",
                    needed.toString()).start().waitFor() == 0, USER + " may not read " + needed.getFileName());
        }
        service = Service.start(Configuration.of(folder, site.root()).runtime("user = \"" + USER + "\""));
    }

    @AfterAll
    static void stop() {
        if (service != null) {
            service.close();
        }
    }

    private static long id(String option) throws Exception {
        Process process = new ProcessBuilder("id", option, USER).start();
        try (var output = process.inputReader()) {
            return Long.parseLong(output.readLine());
        }
    }

    private static void assertAllAre(String ids, long expected) {
        assertThat(Arrays.stream(ids.split("\\s+", -1)).map(Long::valueOf)).as(ids).hasSize(4).containsOnly(expected);
    }

    @Test
    void workersAreTheUserWithoutCapabilities() throws Exception {
        OsProcess worker = service.worker();
        assertAllAre(worker.status("Uid"), id("-u"));
        assertAllAre(worker.status("Gid"), id("-g"));
        assertThat(worker.status("Groups").split("\\s+", -1)).as("supplementary groups").doesNotContain("0");
        for (String set : new String[]{"CapInh", "CapPrm", "CapEff", "CapAmb"}) {
            assertThat(worker.status(set)).as(set).isEqualTo(NONE);
        }
        assertThat(worker.status("NoNewPrivs")).isEqualTo("1");
        assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
    }

    @Test
    void parentIsTheUserTooAndKeepsTheOneCapabilityThatItNeeds() throws Exception {
        assertAllAre(service.parent().status("Uid"), id("-u"));
        assertAllAre(service.parent().status("Gid"), id("-g"));
        for (String set : new String[]{"CapPrm", "CapEff"}) {
            assertThat(service.parent().ofThreads(set)).as(set + " of its threads").contains(BIND_SERVICE)
                    .containsOnly(BIND_SERVICE, NONE);
        }
    }

    @Test
    void portBelow1024IsAddedByAReload() {
        int port = freePortBelow1024();
        service.configure(service.configuration().ports(port, service.configuration().adminPort()));
        Said said = service.run("reload");
        assertThat(said.code()).as(said + service.errorText()).isZero();
        assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
        service.settled(1);
    }

    private static int freePortBelow1024() {
        return IntStream.iterate(1_023, port -> port > 500, port -> port - 1).filter(PrivilegeTest::free).findFirst()
                .orElseThrow();
    }

    private static boolean free(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    @Test
    void workerIsReplacedThoughTheParentIsRootNoMore() {
        OsProcess first = service.worker();
        first.signal("KILL");
        service.await("a replacement", () -> service.workers().stream().anyMatch(each -> !each.equals(first)));
        service.settled(1);
        assertThat(service.worker().status("NoNewPrivs")).isEqualTo("1");
        Said status = service.run("status", "--ready");
        assertThat(status.code()).as(status.toString()).isZero();
    }
}
