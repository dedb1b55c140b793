package io.servery.http.tls;

import io.netty.channel.ChannelPipeline;
import io.servery.core.tls.CertificateNames;
import io.servery.core.tls.Identity;
import io.servery.core.tls.IdentityNames;
import io.servery.core.tls.TicketKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// The identities of a listener, ready for handshakes, and replaced as a whole while it serves.
///
/// *Owner*: one thread gives identities and keys, any event loop takes. *Invariant*: a handshake sees the identities of one
/// `serve`, never a mixture; a connection keeps what it began with.
public final class TlsContexts implements AutoCloseable {
    /// What certificate authorities speak (RFC 8737 §6.2).
    static final String VALIDATION_PROTOCOL = "acme-tls/1";

    private final TlsSettings settings;
    private final List<byte[]> protocols;
    private List<TicketKey> ticketKeys;
    private volatile @Nullable Served served;
    private volatile @Nullable Validated validated;
    private volatile Duration handshakeTimeout;

    /// What is served between two changes.
    private record Served(IdentityNames<IdentityContext> byName, IdentityContext byDefault, List<IdentityContext> all) {
    }

    /// The challenges that stand.
    private record Validated(IdentityNames<IdentityContext> byName, List<IdentityContext> all) {
    }

    /// Contexts that serve nobody yet.
    ///
    /// @param ticketKeys of session tickets: the first seals, all open
    public TlsContexts(TlsSettings settings, List<TicketKey> ticketKeys) {
        this.settings = settings;
        this.handshakeTimeout = settings.handshakeTimeout();
        this.ticketKeys = requireKeys(ticketKeys);
        protocols = settings.protocols().stream().map(name -> name.getBytes(StandardCharsets.US_ASCII)).toList();
    }

    /// Shows these identities from the next handshake on, once each has shaken hands with itself. If one cannot, nothing
    /// changes.
    ///
    /// @param byDefault for clients that ask for no name, or for one that is nobody's
    /// @throws SSLException when BoringSSL does not take an identity
    public synchronized void serve(Identity byDefault, List<NamedIdentity> named) throws SSLException {
        List<IdentityContext> made = new ArrayList<>();
        try {
            IdentityContext first = IdentityContext.of(byDefault, settings, ticketKeys);
            made.add(first);
            List<IdentityNames.Entry<IdentityContext>> entries = new ArrayList<>();
            for (NamedIdentity other : named) {
                IdentityContext context = IdentityContext.of(other.identity(), settings, ticketKeys);
                made.add(context);
                entries.add(new IdentityNames.Entry<>(other.names(), context));
            }
            for (IdentityContext context : made) {
                SelfHandshake.of(context);
            }
            replace(new Served(new IdentityNames<>(entries), first, List.copyOf(made)));
        } catch (SSLException | RuntimeException e) {
            made.forEach(IdentityContext::release);
            throw e;
        }
    }

    /// Answers these challenges of TLS-ALPN-01, and no others, from the next handshake on, once each certificate has been
    /// shown in one. If one cannot be, nothing changes.
    ///
    /// @param byServerName the certificate for each name, as it comes in SNI; of an address its reverse name (RFC 8738 §6)
    /// @throws SSLException when BoringSSL does not take a certificate
    /// @throws IllegalArgumentException when a name is none
    public synchronized void validate(Map<String, Identity> byServerName) throws SSLException {
        List<IdentityContext> made = new ArrayList<>();
        try {
            List<IdentityNames.Entry<IdentityContext>> entries = new ArrayList<>();
            for (Map.Entry<String, Identity> challenge : byServerName.entrySet()) {
                CertificateNames name = CertificateNames.of(List.of(challenge.getKey()));
                if (name.isEmpty()) {
                    throw new IllegalArgumentException("challenge: found the name `" + challenge.getKey()
                            + "`; expected one that a client can ask for");
                }
                IdentityContext context = IdentityContext.forValidation(challenge.getValue(), settings);
                made.add(context);
                SelfHandshake.of(context);
                entries.add(new IdentityNames.Entry<>(name, context));
            }
            replace(entries.isEmpty() ? null : new Validated(new IdentityNames<>(entries), List.copyOf(made)));
        } catch (SSLException | RuntimeException e) {
            made.forEach(IdentityContext::release);
            throw e;
        }
    }

    private void replace(@Nullable Validated next) {
        Validated last = validated;
        validated = next;
        if (last != null) {
            last.all.forEach(IdentityContext::release);
        }
    }

    /// Whether any challenge stands.
    boolean validates() {
        return validated != null;
    }

    /// The context of the challenge for this name, acquired; null where none stands.
    @Nullable
    IdentityContext acquireForValidation(String serverName) {
        while (true) {
            Validated current = validated;
            IdentityContext context = current == null ? null : current.byName.find(serverName);
            if (context == null || context.acquire()) {
                return context;
            }
            // Taken down in between: the next look finds what stands instead.
        }
    }

    /// Seals tickets with the first of these keys from now on, and opens those of all.
    public synchronized void ticketKeys(List<TicketKey> keys) {
        ticketKeys = requireKeys(keys);
        Served current = served;
        if (current != null) {
            current.all.forEach(context -> context.ticketKeys(ticketKeys));
        }
    }

    private static List<TicketKey> requireKeys(List<TicketKey> keys) {
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("ticket keys: found none; expected one");
        }
        return List.copyOf(keys);
    }

    /// Handshakes that begin from now on have this long.
    public void handshakeTimeout(Duration timeout) {
        handshakeTimeout = timeout;
    }

    /// Begins a handshake on an accepted connection: the handlers at the end of its pipeline. While identities are served.
    public void secure(ChannelPipeline pipeline, TlsListener listener) {
        HandshakeHandler handshake = new HandshakeHandler(handshakeTimeout, listener);
        pipeline.addLast(new HelloHandler(this, handshake), handshake);
    }

    List<byte[]> protocols() {
        return protocols;
    }

    /// The context for a client that asks for this name, acquired.
    IdentityContext acquire(@Nullable String serverName) {
        while (true) {
            Served current = served;
            if (current == null) {
                throw new IllegalStateException("no identity is served");
            }
            IdentityContext named = serverName == null ? null : current.byName.find(serverName);
            IdentityContext context = named == null ? current.byDefault : named;
            if (context.acquire()) {
                return context;
            }
            // Replaced in between: the next look finds what is served instead.
        }
    }

    private void replace(@Nullable Served next) {
        Served last = served;
        served = next;
        if (last != null) {
            last.all.forEach(IdentityContext::release);
        }
    }

    /// Serves nobody any more. Connections keep what they have.
    @Override
    public synchronized void close() {
        replace((Served) null);
        replace((Validated) null);
    }
}
