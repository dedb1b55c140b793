package io.servery.http.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.OpenSslServerSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.ReferenceCountedOpenSslServerContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.internal.tcnative.SSL;
import io.netty.internal.tcnative.SSLContext;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ReferenceCountUtil;
import io.servery.core.tls.Identity;
import io.servery.core.config.KeyGroup;
import io.servery.core.tls.TicketKey;
import io.servery.core.tls.TicketKeys;
import io.servery.core.config.TlsVersion;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/// BoringSSL's context for one identity: native memory, counted by those who use it.
///
/// *Owner*: [TlsContexts], until it serves other identities; then the handshakes that begin with it. Their engines keep what
/// they need of it.
final class IdentityContext extends AbstractReferenceCounted {
    /// AEAD ciphers with ephemeral keys, in the order of hosts that have AES in hardware (RFC 9325 §4.2).
    private static final List<String> CIPHERS = List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");
    /// What a client's own chain may take.
    private static final int CLIENT_CHAIN_BYTES_MAX = 32 * 1024;

    private final Identity identity;
    private final ReferenceCountedOpenSslServerContext context;
    private final KeyMaterial material;
    private final boolean givesTickets;
    private final HostMemo hosts;

    private IdentityContext(Identity identity, ReferenceCountedOpenSslServerContext context, KeyMaterial material,
            boolean givesTickets) {
        this.identity = identity;
        this.context = context;
        this.material = material;
        this.givesTickets = givesTickets;
        hosts = new HostMemo(identity.names());
    }

    /// @param tickets the first seals, all open; none gives no tickets
    static IdentityContext of(Identity identity, TlsSettings settings, List<TicketKey> tickets) throws SSLException {
        ReferenceCountedOpenSslServerContext context = (ReferenceCountedOpenSslServerContext) builder(
                settings)
                .build();
        IdentityContext made = null;
        try {
            forgetCallbacks(context);
            OpenSslServerSessionContext sessions = context.sessionContext();
            sessions.setSessionCacheEnabled(false); // a ticket is the client's to keep
            sessions.setSessionIdContext(sessionContext(identity, settings));
            if (!tickets.isEmpty()) {
                sessions.setTicketKeys(forBoringSsl(tickets));
            }
            made = new IdentityContext(identity, context, KeyMaterial.of(identity), !tickets.isEmpty());
            return made;
        } finally {
            if (made == null) {
                context.release();
            }
        }
    }

    /// A handshake asks nothing of Java: [KeyMaterial] is there before it begins, and [HelloHandler] has found whom the client
    /// asks for.
    private static void forgetCallbacks(ReferenceCountedOpenSslServerContext context) {
        long pointer = NativeContext.of(context);
        SSLContext.setCertificateCallback(pointer, null);
        SSLContext.setSniHostnameMatcher(pointer, null);
    }

    /// The context of one challenge: TLS 1.2 at least, `acme-tls/1` and nothing else (RFC 8737 §3 and §4), no certificate of the
    /// client, and no ticket, by which a session of this certificate could go on as one of the site.
    static IdentityContext forValidation(Identity identity, TlsSettings settings) throws SSLException {
        return of(identity, new TlsSettings(TlsVersion.TLS_1_2, settings.groups(), new ClientCertificates.Off(),
                settings.handshakeTimeout(), List.of(TlsContexts.VALIDATION_PROTOCOL)), List.of());
    }

    private static SslContextBuilder builder(TlsSettings settings) {
        SslContextBuilder builder = SslContextBuilder
                .forServer(new NoKeys())
                .sslProvider(SslProvider.OPENSSL_REFCNT)
                .protocols(Arrays.stream(TlsVersion.values())
                        .filter(version -> version.compareTo(settings.minimumVersion()) >= 0)
                        .map(TlsVersion::protocol).toList())
                .ciphers(CIPHERS, IdentityCipherSuiteFilter.INSTANCE)
                .applicationProtocolConfig(new ApplicationProtocolConfig(ApplicationProtocolConfig.Protocol.ALPN,
                        ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                        ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT, settings.protocols()))
                .sessionTimeout(TicketKeys.SESSION_LIFETIME.toSeconds())
                .option(OpenSslContextOption.GROUPS,
                        settings.groups().stream().map(KeyGroup::word).toArray(String[]::new))
                .option(OpenSslContextOption.USE_TASKS, false) // a signature is short, and a task a turn of the engine more
                .option(OpenSslContextOption.MAX_CERTIFICATE_LIST_BYTES, CLIENT_CHAIN_BYTES_MAX);
        return switch (settings.clientCertificates()) {
            case ClientCertificates.Off _ -> builder.trustManager(new NoTrust());
            case ClientCertificates.Optional(List<X509Certificate> authorities) ->
                builder.trustManager(authorities).clientAuth(ClientAuth.OPTIONAL);
            case ClientCertificates.Required(List<X509Certificate> authorities) ->
                builder.trustManager(authorities).clientAuth(ClientAuth.REQUIRE);
        };
    }

    /// Sessions are resumed among identities with the same names alone (RFC 6066 §3), and under the same demands on clients:
    /// a renewed certificate goes on, another site or another authority does not.
    private static byte[] sessionContext(Identity identity, TlsSettings settings) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(String.join("\n", identity.names().texts()).getBytes(StandardCharsets.UTF_8));
            ClientCertificates clients = settings.clientCertificates();
            digest.update(clients.getClass().getSimpleName().getBytes(StandardCharsets.UTF_8));
            List<X509Certificate> authorities = switch (clients) {
                case ClientCertificates.Off _ -> List.of();
                case ClientCertificates.Optional(List<X509Certificate> these) -> these;
                case ClientCertificates.Required(List<X509Certificate> these) -> these;
            };
            for (X509Certificate authority : authorities) {
                digest.update(authority.getEncoded());
            }
            return digest.digest();
        } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
            throw new IllegalStateException(e);
        }
    }

    Identity identity() {
        return identity;
    }

    HostMemo hosts() {
        return hosts;
    }

    /// Seals tickets with the first key from now on, and opens those of all.
    void ticketKeys(List<TicketKey> keys) {
        context.sessionContext().setTicketKeys(forBoringSsl(keys));
    }

    private static OpenSslSessionTicketKey[] forBoringSsl(List<TicketKey> keys) {
        return keys.stream().map(key -> new OpenSslSessionTicketKey(key.name(), key.sealKey(), key.cipherKey()))
                .toArray(OpenSslSessionTicketKey[]::new);
    }

    /// Keeps the native memory for a while; false when it is gone.
    boolean acquire() {
        try {
            retain();
            return true;
        } catch (IllegalReferenceCountException _) {
            return false;
        }
    }

    /// Whether BoringSSL's context is there: while this is held, and while a connection is open that began with it.
    boolean isThere() {
        return context.refCnt() > 0;
    }

    @Override
    protected void deallocate() {
        material.free();
        context.release();
    }

    @Override
    public IdentityContext touch(Object hint) {
        return this;
    }

    /// An engine, which keeps what it needs until it is released. While acquired.
    ///
    /// @throws SSLException when BoringSSL does not take the identity
    SSLEngine newEngine(ByteBufAllocator allocator) throws SSLException {
        SSLEngine engine = context.newEngine(allocator);
        try {
            prepare(engine);
            return engine;
        } catch (SSLException e) {
            ReferenceCountUtil.release(engine);
            throw e;
        }
    }

    private void prepare(SSLEngine engine) throws SSLException {
        long ssl = ((ReferenceCountedOpenSslEngine) engine).sslPointer();
        material.giveTo(ssl);
        if (!givesTickets) { // BoringSSL would seal them with a key of its own
            SSL.setOptions(ssl, SSL.SSL_OP_NO_TICKET);
        }
    }

    /// A handler for one connection, with an engine of its own. While acquired.
    ///
    /// @throws SSLException when BoringSSL does not take the identity
    SslHandler newHandler(ByteBufAllocator allocator) throws SSLException {
        SslHandler handler = context.newHandler(allocator);
        try {
            prepare(handler.engine());
        } catch (SSLException e) {
            ReferenceCountUtil.safeRelease(handler.engine()); // in a pipeline the handler does it
            throw e;
        }
        // Bytes of a record that is not complete are gathered into one buffer. Netty would keep the buffer of each read, which
        // here are large: a peer that sends a record byte by byte would have us hold one for each byte.
        handler.setCumulator(ByteToMessageDecoder.MERGE_CUMULATOR);
        handler.setHandshakeTimeoutMillis(0); // one deadline for the whole handshake: HandshakeHandler has it
        return handler;
    }
}
