package io.servery.acme.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The `pebble` and `pebble-challtestsrv` of this machine.
final class PebbleProcess implements Pebble {
    private static final int STARTS_MAX = 5;

    private final List<Process> processes = new ArrayList<>();
    private final PebbleFiles files;

    private PebbleProcess(PebbleFiles files) {
        this.files = files;
    }

    /// Ports that were free a moment ago may be somebody else's by the time they are listened at: then others are taken.
    static PebbleProcess start(Path directory, Manner manner, Workers workers) throws Exception {
        for (int attempt = 1;; attempt++) {
            PebbleProcess pebble = new PebbleProcess(PebbleFiles.make(directory, manner, workers));
            try {
                pebble.run(manner);
                await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(20)).atMost(Duration.ofMinutes(2))
                        .until(() -> pebble.listens() || !pebble.isAlive());
                if (pebble.isAlive()) {
                    return pebble;
                }
            } catch (Exception | Error failed) {
                pebble.close();
                throw failed;
            }
            pebble.close();
            assertThat(attempt).as("starts of a pebble that ended at once: " + pebble.logs()).isLessThan(STARTS_MAX);
        }
    }

    static boolean isInstalled() {
        return List.of(System.getenv("PATH").split(":")).stream().anyMatch(path -> Files.isExecutable(Path.of(path,
                "pebble")) && Files.isExecutable(Path.of(path, "pebble-challtestsrv")));
    }

    @Override
    public URI directory() {
        return URI.create("https://127.0.0.1:" + files.port() + "/dir");
    }

    @Override
    public X509Certificate root() {
        return files.root();
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        processes.forEach(process -> process.onExit().orTimeout(20, TimeUnit.SECONDS).join());
    }

    private void run(Manner manner) throws IOException {
        start(manner, "pebble-challtestsrv", "-dns01", "127.0.0.1:" + files.dnsPort(), "-http01", "", "-https01", "",
                "-tlsalpn01", "", "-management", "127.0.0.1:" + files.managementPort(), "-defaultIPv6", "");
        start(manner, "pebble", "-config", files.directory().resolve("pebble.json").toString(), "-dnsserver",
                "127.0.0.1:" + files.dnsPort(), "-strict=" + manner.strict());
    }

    private void start(Manner manner, String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log(command[0]));
        builder.environment().put("PEBBLE_VA_NOSLEEP", "1");
        builder.environment().put("PEBBLE_AUTHZREUSE", "0");
        builder.environment().put("PEBBLE_WFE_NONCEREJECT", String.valueOf(manner.nonceRejectPercent()));
        processes.add(builder.start());
    }

    private boolean isAlive() {
        return processes.stream().allMatch(Process::isAlive);
    }

    private boolean listens() {
        return listens(files.port()) && listens(files.managementPort());
    }

    private String logs() throws IOException {
        return Files.readString(log("pebble-challtestsrv").toPath()) + Files.readString(log("pebble").toPath());
    }

    private File log(String program) {
        return files.directory().resolve(program + ".log").toFile();
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }
}
