package io.servery.http.http1;

import io.netty.channel.Channel;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.core.config.KeyGroup;
import io.servery.core.tls.SelfSigned;
import io.servery.core.tls.TicketKeys;
import io.servery.core.config.TlsVersion;
import io.servery.http.exchange.Handler;
import io.servery.http.exchange.HttpService;
import io.servery.http.exchange.RefusalPages;
import io.servery.http.tls.ClientCertificates;
import io.servery.http.tls.TlsConnection;
import io.servery.http.tls.TlsContexts;
import io.servery.http.tls.TlsFailure;
import io.servery.http.tls.TlsListener;
import io.servery.http.tls.TlsSettings;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// A service over TLS for `site.example`, `localhost` and its addresses, and what it counted and told.
final class SecureService implements TlsListener, AutoCloseable {
    final MetricRegistry registry = new MetricRegistry(MetricScope.http1FilesTls());
    final LoopResources loop;
    final Queue<Peer.Completion> completions = new ConcurrentLinkedQueue<>();
    final Queue<Throwable> bugs = new ConcurrentLinkedQueue<>();
    final Queue<TlsFailure> failures = new ConcurrentLinkedQueue<>();
    final TlsContexts contexts;
    volatile Handler handler;
    volatile @Nullable Http1Connection last;
    private final Http1Limits limits;

    /// @param strictTransport how long browsers are bound to TLS
    SecureService(Handler handler, Http1Limits limits, Duration strictTransport) {
        this.handler = handler;
        this.limits = limits;
        loop = new LoopResources(registry.loopShard(), strictTransport);
        TlsSettings settings = new TlsSettings(TlsVersion.TLS_1_2, List.of(KeyGroup.X25519, KeyGroup.P_256),
                new ClientCertificates.Off(), Duration.ofSeconds(10), List.of("http/1.1"));
        contexts = new TlsContexts(settings, TicketKeys.first(Instant.now(), new SecureRandom()).accepted());
        try {
            contexts.serve(SelfSigned.make(List.of("site.example"), Instant.now(), SelfSigned.LIFETIME_MAX,
                    new SecureRandom()), List.of());
        } catch (SSLException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void begun(Channel channel) {
        // Its end is told of, too.
    }

    @Override
    public void secured(Channel channel, TlsConnection tls) {
        HttpService service = new HttpService(List.of(), exchange -> handler.handle(exchange), new RefusalPages(true),
                (_, status, bytes, _, reason) -> completions.add(new Peer.Completion(status, bytes, reason)),
                bugs::add);
        Http1Connection connection = new Http1Connection(service, limits, loop, tls);
        last = connection;
        channel.pipeline().addLast(connection);
    }

    @Override
    public void validated(Channel channel, TlsVersion version) {
        throw new AssertionError("no challenge stands");
    }

    @Override
    public void failed(Channel channel, TlsFailure failure, Optional<TlsVersion> offered) {
        failures.add(failure);
    }

    @Override
    public void close() {
        contexts.close();
    }
}
