package io.servery.acme.order;

import static org.awaitility.Awaitility.await;

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
    private final List<Process> processes = new ArrayList<>();
    private final PebbleFiles files;

    PebbleProcess(Path directory, Manner manner, Workers workers) throws Exception {
        files = PebbleFiles.make(directory, manner, workers);
        start(manner, "pebble-challtestsrv", "-dns01", "127.0.0.1:" + files.dnsPort(), "-http01", "", "-https01", "",
                "-tlsalpn01", "", "-management", "127.0.0.1:" + files.managementPort(), "-defaultIPv6", "");
        start(manner, "pebble", "-config", directory.resolve("pebble.json").toString(), "-dnsserver", "127.0.0.1:"
                + files.dnsPort(), "-strict=" + manner.strict());
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(20)).atMost(Duration.ofMinutes(2)).until(
                () -> listens(files.port()) && listens(files.managementPort()));
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
    public void close() throws Exception {
        for (Process process : processes) {
            process.destroyForcibly();
        }
        for (Process process : processes) {
            process.waitFor(20, TimeUnit.SECONDS);
        }
    }

    private void start(Manner manner, String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(
                files.directory().resolve(command[0] + ".log").toFile());
        builder.environment().put("PEBBLE_VA_NOSLEEP", "1");
        builder.environment().put("PEBBLE_AUTHZREUSE", "0");
        builder.environment().put("PEBBLE_WFE_NONCEREJECT", String.valueOf(manner.nonceRejectPercent()));
        processes.add(builder.start());
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }
}
