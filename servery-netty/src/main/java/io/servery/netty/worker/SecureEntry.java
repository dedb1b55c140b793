package io.servery.netty.worker;

import io.netty.channel.Channel;
import io.servery.core.config.Tls;
import io.servery.core.control.Challenges;
import io.servery.core.control.Order;
import io.servery.core.config.TlsVersion;
import io.servery.core.metric.HandshakeResult;
import io.servery.core.metric.HandshakeVersion;
import io.servery.core.metric.Phase;
import io.servery.core.metric.Resumed;
import io.servery.core.metric.Transport;
import io.servery.core.reason.Reason;
import io.servery.core.tls.Credentials;
import io.servery.core.tls.Identity;
import io.servery.core.tls.TicketKeys;
import io.servery.http.tls.ClientCertificates;
import io.servery.http.tls.NamedIdentity;
import io.servery.http.tls.TlsConnection;
import io.servery.http.tls.TlsContexts;
import io.servery.http.tls.TlsFailure;
import io.servery.http.tls.TlsListener;
import io.servery.http.tls.TlsSettings;
import io.servery.netty.identity.IdentityOrders;
import io.servery.netty.natives.BoringSsl;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;

/// TLS in front of every public connection of a worker: the identities that it shows, and where connections go once their
/// handshake is done.
///
/// *Owner*: one thread at a time identifies; any event loop lets connections in.
final class SecureEntry implements AutoCloseable {
    /// What is spoken inside, best first: RFC 7301, and the two names that it registers for this protocol.
    private static final List<String> PROTOCOLS = List.of("http/1.1", "http/1.0");

    private final TlsSettings settings;
    private final TlsContexts contexts;
    private List<Order.Shown> shown;
    private Identity byDefault;

    private SecureEntry(TlsSettings settings, TlsContexts contexts, List<Order.Shown> shown, Identity byDefault) {
        this.settings = settings;
        this.contexts = contexts;
        this.shown = shown;
        this.byDefault = byDefault;
    }

    /// An entry that shows these identities.
    ///
    /// @throws SSLException when one cannot be shown
    /// @throws IllegalArgumentException when they are none that a parent sends
    static SecureEntry of(Tls.On tls, Duration handshakeTimeout, Order.Identify order) throws SSLException {
        BoringSsl.load();
        Credentials credentials = IdentityOrders.credentials(order);
        ClientCertificates clients = switch (tls.clientCertificates()) {
            case OFF -> new ClientCertificates.Off();
            case OPTIONAL -> new ClientCertificates.Optional(credentials.clientAuthorities());
            case REQUIRED -> new ClientCertificates.Required(credentials.clientAuthorities());
        };
        TlsSettings settings = new TlsSettings(tls.minimumVersion(), tls.groups(), clients, handshakeTimeout,
                PROTOCOLS);
        TlsContexts contexts = new TlsContexts(settings, IdentityOrders.ticketKeys(order));
        serve(contexts, credentials);
        return new SecureEntry(settings, contexts, order.identities(), credentials.byDefault());
    }

    private static void serve(TlsContexts contexts, Credentials credentials) throws SSLException {
        contexts.serve(credentials.byDefault(), credentials.others().stream()
                .map(other -> new NamedIdentity(other.identity(), other.names())).toList());
    }

    /// The same for peers that this worker plays itself: of its identity by default, without certificates of clients, and with
    /// keys of its own for its tickets, so that none is good anywhere else. It is to be closed.
    ///
    /// @throws SSLException when the identity cannot be shown so
    synchronized SecureEntry forItself() throws SSLException {
        TlsContexts own = new TlsContexts(settings.withoutClientCertificates(),
                TicketKeys.first(Instant.now(), new SecureRandom()).accepted());
        own.serve(byDefault, List.of());
        return new SecureEntry(settings, own, List.of(), byDefault);
    }

    /// What a client that asks for nobody's name is shown.
    synchronized Identity byDefault() {
        return byDefault;
    }

    /// Shows these from the next handshake on. If one cannot be shown, nothing changes.
    ///
    /// @throws SSLException when one cannot be shown
    /// @throws IllegalArgumentException when they are none that a parent sends
    synchronized void identify(Order.Identify order) throws SSLException {
        if (!order.identities().equals(shown)) {
            Credentials credentials = IdentityOrders.credentials(order);
            serve(contexts, credentials);
            shown = order.identities();
            byDefault = credentials.byDefault();
        }
        contexts.ticketKeys(IdentityOrders.ticketKeys(order));
    }

    /// Shows these certificates to who validates, and no others.
    ///
    /// @throws SSLException when one cannot be shown
    /// @throws IllegalArgumentException when they are none that a parent sends
    void validate(List<Challenges.Alpn> challenges) throws SSLException {
        contexts.validate(challenges.stream().collect(Collectors.toMap(Challenges.Alpn::serverName,
                one -> Identity.of(one.certificate(), one.key()))));
    }

    void handshakeTimeout(Duration timeout) {
        contexts.handshakeTimeout(timeout);
    }

    /// Begins the handshake of a connection that was accepted.
    void begin(Channel channel, Loop loop) {
        contexts.secure(channel.pipeline(), new ToLoop(loop));
    }

    /// Lets go of the native memory; connections keep theirs.
    @Override
    public void close() {
        contexts.close();
    }

    /// Where the connections of one event loop go.
    private record ToLoop(Loop loop) implements TlsListener {
        @Override
        public void begun(Channel channel) {
            loop.resources().arrives(channel);
        }

        @Override
        public void secured(Channel channel, TlsConnection connection) {
            loop.resources().arrived(channel);
            succeeded(connection.version(), connection.resumed() ? Resumed.YES : Resumed.NO);
            channel.pipeline().addLast(loop.newConnection(connection));
        }

        @Override
        public void validated(Channel channel, TlsVersion version) {
            loop.resources().arrived(channel);
            succeeded(version, Resumed.NO);
        }

        private void succeeded(TlsVersion version, Resumed resumed) {
            loop.shard().handshake(word(version), HandshakeResult.SUCCESS, resumed);
        }

        private static HandshakeVersion word(TlsVersion version) {
            return switch (version) {
                case TLS_1_2 -> HandshakeVersion.TLS_1_2;
                case TLS_1_3 -> HandshakeVersion.TLS_1_3;
            };
        }

        @Override
        public void failed(Channel channel, TlsFailure failure, Optional<TlsVersion> offered) {
            loop.resources().arrived(channel);
            loop.shard().handshake(offered.map(ToLoop::word).orElse(HandshakeVersion.NONE), HandshakeResult.FAILURE,
                    Resumed.NO);
            if (failure == TlsFailure.TIMED_OUT) {
                loop.shard().timedOut(Phase.HANDSHAKE, Transport.H1);
                loop.shard().rejected(Reason.HANDSHAKE_TIMEOUT, Transport.H1);
            }
        }
    }
}
