package io.servery.acme.order;

import java.net.URI;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import org.testcontainers.containers.BindMode;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/// pebble and its DNS server as containers, on the network of the host, where the workers of the test listen.
final class PebbleContainers implements Pebble {
    private static final DockerImageName PEBBLE = DockerImageName.parse("letsencrypt/pebble:v2.4.0");
    private static final DockerImageName DNS = DockerImageName.parse("letsencrypt/pebble-challtestsrv:v2.4.0");

    private final PebbleFiles files;
    private final List<GenericContainer<?>> containers;

    PebbleContainers(Path directory, Manner manner, Workers workers) throws Exception {
        files = PebbleFiles.make(directory, manner, workers);
        GenericContainer<?> dns = new GenericContainer<>(DNS).withNetworkMode("host").withCommand("pebble-challtestsrv",
                "-dns01", "127.0.0.1:" + files.dnsPort(), "-http01", "", "-https01", "", "-tlsalpn01", "",
                "-management",
                "127.0.0.1:" + files.managementPort(), "-defaultIPv6", "");
        GenericContainer<?> pebble = new GenericContainer<>(PEBBLE).withNetworkMode("host")
                .withFileSystemBind(directory.toString(), directory.toString(), BindMode.READ_ONLY)
                .withEnv("PEBBLE_VA_NOSLEEP", "1").withEnv("PEBBLE_AUTHZREUSE", "0")
                .withEnv("PEBBLE_WFE_NONCEREJECT", String.valueOf(manner.nonceRejectPercent()))
                .withCommand("pebble", "-config", directory.resolve("pebble.json").toString(), "-dnsserver",
                        "127.0.0.1:" + files.dnsPort(), "-strict=" + manner.strict())
                .waitingFor(Wait.forLogMessage(".*[Ll]istening on.*", 1).withStartupTimeout(Duration.ofMinutes(2)));
        containers = List.of(dns, pebble);
        containers.forEach(GenericContainer::start);
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
        containers.forEach(GenericContainer::stop);
    }
}
