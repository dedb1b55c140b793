package io.servery.interop.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.servery.interop.ServeryProcess;
import io.servery.interop.Site;
import io.servery.interop.fleet.Configuration;
import io.servery.interop.fleet.Service;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Started by root, a service keeps what an authority issues as the user that it becomes.
class AcmeUserTest {
    private static final String USER = "nobody";
    private static final String HOST = "site.example";
    private static final Duration STOP = Duration.ofSeconds(60);
    private static final int CONFIGURATION = 78;

    @TempDir
    Path folder;
    private final int port = ServeryProcess.freePort();
    private final int redirect = ServeryProcess.freePort();
    private Configuration configuration;
    private Pebble pebble;

    @BeforeEach
    void prepare() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root may become somebody else");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (Path needed : List.of(ServeryProcess.JAR, Path.of(ServeryProcess.java()))) {
            assumeTrue(run("setpriv", "--reuid=" + USER, "--clear-groups", "test", "-r", needed.toString()) == 0,
                    USER + " may not read " + needed.getFileName());
        }
        Site site = Site.generate(folder.resolve("site"));
        pebble = Pebble.prepare(folder, redirect, port);
        configuration = Configuration.of(folder, site.root()).ports(port, ServeryProcess.freePort())
                .runtime("user = \"" + USER + "\"").listener("redirect_port = " + redirect)
                .tls("mode = \"acme\"\n[tls.acme]\naccept_terms = true\ndomains = [\"" + HOST + "\"]\ndirectory = \""
                        + pebble.directory() + "\"\ndirectory_ca_file = \"" + pebble.ca() + "\"\n");
    }

    @AfterEach
    void end() {
        if (pebble != null) {
            pebble.close();
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    private Path stateDirectory(String owner) throws Exception {
        Path state = Files.createDirectory(folder.resolve("state"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        assertThat(run("chown", owner, state.toString())).isZero();
        return state;
    }

    private static Service ready(Service service) {
        service.await("a service that is ready", () -> !service.alive() || service.ready());
        assertThat(service.alive()).as(service.errorText()).isTrue();
        return service;
    }

    @Test
    void whatIsKeptIsOfTheUserAndOfNobodyElseAndIsFoundByTheNextStart() throws Exception {
        Path state = stateDirectory(USER);
        pebble.start();
        BigInteger serial;
        try (Service service = ready(Service.launch(configuration))) {
            serial = new Peer(port, pebble.root(), folder).serial(HOST);
            assertThat(service.run("stop").code()).isZero();
        }
        try (Stream<Path> kept = Files.walk(state.resolve("acme"))) {
            assertThat(kept).hasSizeGreaterThan(4).allSatisfy(path -> {
                assertThat(Files.getOwner(path).getName()).as(path.toString()).isEqualTo(USER);
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path))).as(path.toString())
                        .endsWith("------");
            });
        }
        try (Service again = ready(Service.launch(configuration))) {
            assertThat(new Peer(port, pebble.root(), folder).serial(HOST)).isEqualTo(serial);
            assertThat(again.metric("servery_acme_attempts_total")).as("nobody was asked for another").isZero();
        }
    }

    @Test
    void directoryThatTheUserMayNotReadIsRefusedAtTheStart() throws Exception {
        stateDirectory("root");
        pebble.start();
        try (Service service = Service.launch(configuration)) {
            assertThat(service.exitCode(STOP)).isEqualTo(CONFIGURATION);
            assertThat(service.errorText()).contains("runtime.state_directory: ");
        }
    }
}
