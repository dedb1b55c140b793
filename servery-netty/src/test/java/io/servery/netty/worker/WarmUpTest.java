package io.servery.netty.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.config.Configuration;
import io.servery.core.config.ConfigurationInputs;
import io.servery.core.config.Logging;
import io.servery.core.config.Outcome;
import io.servery.core.config.ServeryConfig;
import io.servery.core.config.Tls;
import io.servery.core.control.Order;
import io.servery.core.metric.HandshakeResult;
import io.servery.core.metric.HandshakeVersion;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.core.metric.MetricSnapshot;
import io.servery.core.metric.Resumed;
import io.servery.core.metric.Transport;
import io.servery.core.reason.Reason;
import io.servery.core.tls.Identity;
import io.servery.core.tls.SelfSigned;
import io.servery.http.http1.Http1Limits;
import io.servery.netty.observe.Events;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a worker does to itself before it is ready, with time for all of it.
@EnabledOnOs(value = OS.LINUX, disabledReason = "epoll is Linux's")
@Timeout(60)
class WarmUpTest {
    private static final Duration ENOUGH = Duration.ofSeconds(30);
    private static final String KEYS = "ab".repeat(48);
    private static final int CONNECTIONS = 300;
    private static final int DRAINED = 1;

    @TempDir
    Path folder;

    private final Events events = new Events(Logging.Level.INFO, true, new ByteArrayOutputStream(),
            Clock.systemUTC());

    @BeforeEach
    void makeSite() throws IOException {
        Files.writeString(Files.createDirectory(folder.resolve("public")).resolve("hello.txt"), "hello\n");
    }

    private ServeryConfig config(String tls) {
        String text = """
                schema_version = 1
                application.static.root = "public"
                """ + tls;
        return switch (Configuration.read(text.getBytes(StandardCharsets.UTF_8), new ConfigurationInputs(
                Optional.of(Path.of("servery.toml")), Map.of(), List.of(), folder, false))) {
            case Outcome.Accepted accepted -> accepted.config();
            case Outcome.Refused refused -> throw new AssertionError(refused.faults().toString());
        };
    }

    private static Identity identity(String host) {
        return SelfSigned.make(List.of(host), Instant.now(), Duration.ofDays(9), new SecureRandom());
    }

    /// What it has counted for itself.
    private MetricSnapshot warmedUp(ServeryConfig config, SecureEntry entry) throws Exception {
        LanedSite content = LanedSite.open(config, new MetricRegistry(MetricScope.http1FilesTls()), events);
        try {
            WarmUp warmUp = new WarmUp(config, content.site(), () -> Http1Limits.of(config.resources()), entry);
            warmUp.run(ENOUGH);
            return warmUp.counted();
        } finally {
            content.closeLanes();
            content.end();
        }
    }

    private MetricSnapshot warmedUp(String tls, Identity identity, String authorities) throws Exception {
        ServeryConfig config = config(tls);
        Order.Identify order = new Order.Identify(1,
                List.of(new Order.Shown(List.of(), identity.certificatesPem(), identity.keyPem())), authorities,
                List.of(KEYS));
        try (SecureEntry entry = SecureEntry.of((Tls.On) config.tls(), Duration.ofSeconds(10), order)) {
            return warmedUp(config, entry);
        }
    }

    private static long succeeded(MetricSnapshot counted, Resumed resumed) {
        return counted.handshakes(HandshakeVersion.TLS_1_3, HandshakeResult.SUCCESS, resumed);
    }

    private static void assertThatAllIsServed(MetricSnapshot counted) {
        assertThat(counted.connections(Transport.H1)).isEqualTo(CONNECTIONS + DRAINED);
        assertThat(counted.rejections(Reason.NOT_FOUND, Transport.H1)).as("one of each kind").isEqualTo(1);
        assertThat(counted.rejections(Reason.MISDIRECTED, Transport.H1)).isZero();
    }

    @Test
    void plainWorkerServesRequestsWithoutTls() throws Exception {
        MetricSnapshot counted = warmedUp(config(""), null);
        assertThatAllIsServed(counted);
        assertThat(succeeded(counted, Resumed.NO)).isZero();
    }

    /// By whatever name the certificate is for.
    @ParameterizedTest
    @ValueSource(strings = {"a.example", "*.wild.example", "192.0.2.1", "2001:db8::1"})
    void workerWithTlsShakesHandsInFullAndWithTicketsInTurn(String host) throws Exception {
        MetricSnapshot counted = warmedUp("tls.mode = \"self-signed\"", identity(host), "");
        assertThatAllIsServed(counted);
        assertThat(succeeded(counted, Resumed.NO)).isEqualTo(CONNECTIONS / 2 + DRAINED);
        assertThat(succeeded(counted, Resumed.YES)).isEqualTo(CONNECTIONS / 2);
    }
}
