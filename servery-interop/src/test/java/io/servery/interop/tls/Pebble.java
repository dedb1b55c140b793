package io.servery.interop.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.ServeryProcess;
import io.servery.interop.fleet.Said;
import io.servery.interop.fleet.Service;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/// Let's Encrypt's authority for tests, `pebble`, with the name server that it asks: every name is this host.
final class Pebble implements AutoCloseable {
    private static final int END_SECONDS = 20;

    private final Path folder;
    private final Program curl;
    private final int port = ServeryProcess.freePort();
    private final int management = ServeryProcess.freePort();
    private final int dns = ServeryProcess.freePort();
    private final int dnsManagement = ServeryProcess.freePort();
    private final Path ca;
    private final List<Process> processes = new ArrayList<>();

    private Pebble(Path folder, Path ca) {
        this.folder = folder;
        this.curl = Program.of("curl", folder);
        this.ca = ca;
    }

    /// One that does not run yet.
    ///
    /// @param httpPort where it asks for HTTP-01
    /// @param tlsPort where it asks for TLS-ALPN-01
    static Pebble prepare(Path folder, int httpPort, int tlsPort) {
        Program.of("pebble", folder);
        Program.of("pebble-challtestsrv", folder);
        Authority authority = Authority.create(folder, "pebble");
        Pair own = authority.issue(Wanted.of("own", "127.0.0.1", "localhost"));
        Pebble pebble = new Pebble(folder, authority.root());
        authority.text("pebble.json", """
                { "pebble": { "listenAddress": "127.0.0.1:%d", "managementListenAddress": "127.0.0.1:%d",
                  "certificate": "%s", "privateKey": "%s", "httpPort": %d, "tlsPort": %d, "ocspResponderURL": "",
                  "externalAccountBindingRequired": false } }
                """.formatted(pebble.port, pebble.management, own.chain(), own.key(), httpPort, tlsPort));
        return pebble;
    }

    /// Its directory, as `tls.acme.directory` has it.
    String directory() {
        return "https://127.0.0.1:" + port + "/dir";
    }

    /// By whom it is trusted itself, for `tls.acme.directory_ca_file`.
    Path ca() {
        return ca;
    }

    /// Starts it, and returns when it answers. It has forgotten what it knew.
    Pebble start() {
        run("pebble-challtestsrv", "-dns01", "127.0.0.1:" + dns, "-http01", "", "-https01", "", "-tlsalpn01", "",
                "-management", "127.0.0.1:" + dnsManagement, "-defaultIPv6", "");
        run("pebble", "-config", folder.resolve("pebble").resolve("pebble.json").toString(), "-dnsserver",
                "127.0.0.1:" + dns, "-strict=true");
        Awaitility.await("pebble").atMost(Service.PATIENCE).pollInterval(Duration.ofMillis(20))
                .until(() -> isOpen(port) && isOpen(management) && isOpen(dnsManagement));
        assertThat(processes).allMatch(Process::isAlive);
        return this;
    }

    private void run(String... command) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(folder.resolve(command[0] + ".log").toFile());
        builder.environment().put("PEBBLE_VA_NOSLEEP", "1");
        builder.environment().put("PEBBLE_AUTHZREUSE", "0");
        builder.environment().put("PEBBLE_WFE_NONCEREJECT", "10");
        try {
            processes.add(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOpen(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    /// The root of what it issues, another one after each start.
    Path root() {
        Said said = curl.make("--silent", "--show-error", "--cacert", ca.toString(),
                "https://127.0.0.1:" + management + "/roots/0");
        try {
            return Files.writeString(folder.resolve("issued-below.pem"), said.output());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        processes.forEach(process -> process.onExit().orTimeout(END_SECONDS, TimeUnit.SECONDS).join());
        processes.clear();
    }
}
