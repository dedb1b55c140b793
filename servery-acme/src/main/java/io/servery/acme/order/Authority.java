package io.servery.acme.order;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.connector.Connection;
import org.shredzone.acme4j.connector.NetworkSettings;
import org.shredzone.acme4j.provider.GenericAcmeProvider;

/// The way to one authority for one attempt: whom it is trusted by, how long it may take, and when it wants to be left alone.
///
/// *Owner*: the thread of ACME.
final class Authority extends GenericAcmeProvider {
    private static final int ERROR = 400;
    private static final int NOT_FOUND = 404;
    private static final int GONE = 410;

    private final AcmeSettings settings;
    private final Cancellation cancellation;
    private final Clock clock;
    private Optional<Instant> retryAfter = Optional.empty();
    private Optional<URI> gone = Optional.empty();

    Authority(AcmeSettings settings, Cancellation cancellation, Clock clock) {
        this.settings = settings;
        this.cancellation = cancellation;
        this.clock = clock;
    }

    /// A session whose HTTP client must be shut down by whoever asks for it.
    Session session() {
        Session session = new Session(settings.acme().directory(), this);
        session.networkSettings().setTimeout(settings.limits().request());
        // What is compressed has no size that can be bounded before it is unpacked.
        session.networkSettings().setCompressionEnabled(false);
        session.setLocale(Locale.ENGLISH);
        return session;
    }

    @Override
    public HttpClient createHttpClient(NetworkSettings network) {
        HttpClient.Builder client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NORMAL).connectTimeout(network.getTimeout())
                .proxy(network.getProxySelector());
        if (!settings.roots().isEmpty()) {
            client.sslContext(trusting(settings.roots()));
        }
        return client.build();
    }

    @Override
    public Connection connect(URI server, NetworkSettings network, HttpClient client) {
        return new BoundedConnection(createHttpConnector(network, client), this);
    }

    @Override
    public URL resolve(URI server) {
        return super.resolve(server);
    }

    Cancellation cancellation() {
        return cancellation;
    }

    /// Before that the authority wants no further request: what the last answer said, if it was a refusal.
    Optional<Instant> retryAfter() {
        return retryAfter;
    }

    /// Whether the last answer said that there is nothing at this URL, with a problem document or without.
    boolean isGone(URI resource) {
        return gone.filter(resource::equals).isPresent();
    }

    void asks() {
        retryAfter = Optional.empty();
        gone = Optional.empty();
    }

    /// RFC 9110, section 10.2.3: seconds, or a date. By our clock, which is the one that is waited by.
    void answered(URI resource, int status, HttpHeaders fields) {
        if (status >= ERROR) {
            retryAfter = fields.firstValue("Retry-After").flatMap(this::moment);
        }
        if (status == NOT_FOUND || status == GONE) {
            gone = Optional.of(resource);
        }
    }

    private Optional<Instant> moment(String value) {
        try {
            return Optional.of(value.matches("[0-9]{1,9}")
                    ? clock.instant().plusSeconds(Long.parseLong(value))
                    : ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
        } catch (DateTimeException neither) {
            return Optional.empty();
        }
    }

    private static SSLContext trusting(List<X509Certificate> roots) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (int i = 0; i < roots.size(); i++) {
                store.setCertificateEntry("root " + i, roots.get(i));
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException impossible) {
            throw new AssertionError("every Java platform trusts what it is given", impossible);
        }
    }
}
