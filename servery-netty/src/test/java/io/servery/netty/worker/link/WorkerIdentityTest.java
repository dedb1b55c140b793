package io.servery.netty.worker.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.servery.core.config.Configuration;
import io.servery.core.config.ConfigurationInputs;
import io.servery.core.config.Endpoint;
import io.servery.core.config.Outcome;
import io.servery.core.control.Order;
import io.servery.core.control.Report;
import io.servery.core.control.Shard;
import io.servery.core.metric.HandshakeResult;
import io.servery.core.metric.HandshakeVersion;
import io.servery.core.metric.MetricScope;
import io.servery.core.metric.MetricSnapshot;
import io.servery.core.metric.Resumed;
import io.servery.core.metric.Transport;
import io.servery.core.reason.Reason;
import io.servery.core.tls.Identity;
import io.servery.core.tls.SelfSigned;
import io.servery.netty.listen.Binder;
import io.servery.netty.listen.ListenResult;
import io.servery.netty.listen.ListenerGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A real worker process that is given identities by a parent of this test: what its peers are shown, and when.
@EnabledOnOs(value = OS.LINUX, disabledReason = "descriptors travel between processes of Linux")
@Timeout(120)
class WorkerIdentityTest {
    private static final String KEYS = "ab".repeat(48);

    @TempDir
    Path folder;

    private List<ListenerGroup> groups = List.of();
    private TestParent parent;

    @BeforeEach
    void begin() throws IOException {
        Files.writeString(Files.createDirectory(folder.resolve("public")).resolve("hello.txt"), "hello\n");
        groups = switch (new Binder("listener", 128, 1, true).bind(new Endpoint.Tcp(List.of("127.0.0.1"), 0))) {
            case ListenResult.Bound(List<ListenerGroup> bound) -> bound;
            case ListenResult.Refused refused -> throw new AssertionError(refused.message());
        };
        parent = new TestParent(Files.createDirectory(folder.resolve("run")), List.of()).saysToken();
    }

    @AfterEach
    void end() throws Exception {
        parent.close();
        for (ListenerGroup group : groups) {
            group.close();
        }
    }

    private String configuration() {
        String text = """
                schema_version = 1
                runtime.event_loops = 1
                tls.mode = "self-signed"
                application.static.root = "public"
                """;
        return switch (Configuration.read(text.getBytes(StandardCharsets.UTF_8), new ConfigurationInputs(
                Optional.of(Path.of("servery.toml")), Map.of(), List.of(), folder, false))) {
            case Outcome.Accepted accepted -> accepted.effective().workerText();
            case Outcome.Refused refused -> throw new AssertionError(refused.faults().toString());
        };
    }

    private static Identity identity() {
        return SelfSigned.make(List.of("a.example"), Instant.now(), Duration.ofDays(9), new SecureRandom());
    }

    private static Order.Identify order(long number, String certificates, String key) {
        return new Order.Identify(number, List.of(new Order.Shown(List.of(), certificates, key)), "", List.of(KEYS));
    }

    static Order.Identify order(long number, Identity identity) {
        return order(number, identity.certificatesPem(), identity.keyPem());
    }

    private void serve(Identity first) {
        parent.await(Report.Hello.class);
        parent.send(order(1, first));
        List<Shard> shards = parent.handOver(groups);
        parent.send(new Order.Prepare(1, 0, configuration(), shards));
        assertThat(parent.await(Report.Identified.class)).isEqualTo(new Report.Identified(1, ""));
        parent.await(Report.Prepared.class);
        parent.send(new Order.Commit());
        parent.await(Report.Ready.class);
        parent.send(new Order.Adopt(shards));
    }

    /// The certificate that a new connection is shown, after an answer over it.
    private Certificate shown() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(),
                ((InetSocketAddress) groups.getFirst().address()).getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write("GET /hello.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\nhello\n");
            return socket.getSession().getPeerCertificates()[0];
        }
    }

    @Test
    void whatIsHandedOverIsShown() throws Exception {
        Identity first = identity();
        serve(first);
        assertThat(shown()).isEqualTo(first.chain().getFirst());

        Identity second = identity();
        parent.send(order(2, second));
        assertThat(parent.await(Report.Identified.class)).isEqualTo(new Report.Identified(2, ""));
        assertThat(shown()).isEqualTo(second.chain().getFirst());
    }

    @Test
    void whatCannotBeShownIsRefusedAndChangesNothing() throws Exception {
        Identity first = identity();
        serve(first);
        parent.send(order(2, identity().certificatesPem(), identity().keyPem()));
        assertThat(parent.await(Report.Identified.class)).satisfies(report -> {
            assertThat(report.number()).isEqualTo(2);
            assertThat(report.refusal()).startsWith("tls: ");
        });
        parent.send(order(3, "none", "none"));
        assertThat(parent.await(Report.Identified.class).refusal()).contains("tls: found ");

        assertThat(shown()).isEqualTo(first.chain().getFirst());
        assertThat(parent.alive()).isTrue();
    }

    @Test
    void handshakesOfTheWarmUpAreNotCounted() throws Exception {
        serve(identity());
        parent.forgetReports();
        parent.send(new Order.TakeSnapshot());

        MetricSnapshot counted = parent.await(Report.MetricsSnapshot.class).snapshot(MetricScope.http1FilesTls())
                .orElseThrow();
        for (HandshakeResult result : HandshakeResult.values()) {
            for (HandshakeVersion version : HandshakeVersion.values()) {
                for (Resumed resumed : Resumed.values()) {
                    assertThat(counted.handshakes(version, result, resumed)).isZero();
                }
            }
        }
        assertThat(counted.connections(Transport.H1)).isZero();
        assertThat(parent.errors()).doesNotContain("runtime.bug");
    }

    @Test
    void withoutAnIdentityNothingIsPrepared() {
        parent.await(Report.Hello.class);
        parent.send(new Order.Prepare(1, 0, configuration(), parent.handOver(groups)));

        Report.Failed failed = parent.await(Report.Failed.class);
        assertThat(failed.reason()).isEqualTo(Reason.INVALID_CONFIG);
        assertThat(failed.cause()).isEqualTo("tls: identities: found none; expected those of `[tls]`");
    }
}
