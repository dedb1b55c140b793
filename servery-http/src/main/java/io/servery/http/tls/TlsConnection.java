package io.servery.http.tls;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import io.servery.core.tls.Identity;
import io.servery.core.config.TlsVersion;
import io.servery.http.exchange.RequestHead;
import io.servery.http.semantics.Authority;
import io.servery.http.semantics.FieldName;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/// What is known of a connection once its handshake is done.
///
/// *Owner*: its event loop. *Invariant*: it keeps the identity that its peer was shown, whatever is served since.
public final class TlsConnection {
    private final IdentityContext context;
    private final SslHandler handler;
    private final TlsVersion version;
    private final boolean resumed;
    private byte @Nullable [] host;

    TlsConnection(IdentityContext context, SslHandler handler, TlsVersion version, boolean resumed) {
        this.context = context;
        this.handler = handler;
        this.version = version;
        this.resumed = resumed;
    }

    /// What the peer was shown.
    public Identity identity() {
        return context.identity();
    }

    public TlsVersion version() {
        return version;
    }

    /// Whether the peer came back with a ticket.
    public boolean resumed() {
        return resumed;
    }

    /// What is spoken inside by the choice of both; empty when the client left it open.
    public Optional<String> protocol() {
        return Optional.ofNullable(handler.applicationProtocol());
    }

    /// The certificate that the client showed and that verified. While the connection is open.
    public Optional<X509Certificate> clientCertificate() {
        try {
            return handler.engine().getSession().getPeerCertificates()[0] instanceof X509Certificate certificate
                    ? Optional.of(certificate)
                    : Optional.empty();
        } catch (SSLPeerUnverifiedException _) {
            return Optional.empty();
        }
    }

    /// Says to the peer that nothing more comes: close_notify (RFC 8446 §6.1), after all that was written. What the peer sends
    /// from now on is dropped; that it ends its half of the socket is still seen.
    ///
    /// @return done when the socket has it
    public ChannelFuture end(ChannelPipeline pipeline) {
        pipeline.addBefore(beneath(pipeline).name(), null, new DroppedInput());
        return handler.closeOutbound();
    }

    /// The place in the pipeline beneath TLS: what is written here goes as it is, after all that TLS has let out, and a close
    /// here says nothing to the peer.
    public ChannelHandlerContext beneath(ChannelPipeline pipeline) {
        return pipeline.context(handler);
    }

    /// Whether the identity stands for the Host of a request. Where it does not, the client asks the wrong connection: 421
    /// (RFC 9110 §15.5.20). A request without Host asks for no other.
    ///
    /// Allocates nothing for the host that came last on this connection or under this identity.
    public boolean isFor(RequestHead head) {
        byte[] known = host;
        if (known != null && head.valueIs(FieldName.HOST, known)) {
            return true;
        }
        if (head.count(FieldName.HOST) == 0) {
            return true;
        }
        byte[] covered = context.hosts().covered(head);
        host = covered;
        return covered != null;
    }

    /// Whether the identity stands for an authority, whatever its port: for a target that comes without Host.
    public boolean isFor(Authority authority) {
        return context.identity().names().covers(authority.host());
    }
}
