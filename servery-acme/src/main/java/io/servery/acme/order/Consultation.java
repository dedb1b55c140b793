package io.servery.acme.order;

import io.servery.acme.renewal.Window;
import io.servery.core.tls.AuthorityKey;
import io.servery.core.tls.Identity;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.connector.Connection;
import org.shredzone.acme4j.connector.Resource;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.toolbox.JSON;

/// One question: when should this certificate be renewed (RFC 9773, section 4)? It needs no account.
final class Consultation {
    private Consultation() {
    }

    /// What the authority said.
    record Opinion(Optional<Window> window, Optional<Duration> retryAfter) {
        static Opinion none() {
            return new Opinion(Optional.empty(), Optional.empty());
        }
    }

    static Opinion ask(Session session, Identity active, Clock clock) throws AcmeException {
        Optional<URL> base = session.resourceUrlOptional(Resource.RENEWAL_INFO);
        Optional<String> identifier = identifier(active);
        if (base.isEmpty() || identifier.isEmpty()) {
            return Opinion.none();
        }
        try (Connection connection = session.connect()) {
            connection.sendRequest(url(base.get(), identifier.get()), session, null);
            Optional<Duration> retryAfter = connection.getRetryAfter().map(at -> Duration.between(clock.instant(), at));
            JSON window = connection.readJsonResponse().get("suggestedWindow").asObject();
            Instant start = window.get("start").asInstant();
            Instant end = window.get("end").asInstant();
            return new Opinion(end.isAfter(start) ? Optional.of(new Window(start, end)) : Optional.empty(), retryAfter);
        }
    }

    /// What the authority calls a certificate of its own (RFC 9773, section 4.1); empty where the certificate does not say who
    /// signed it.
    static Optional<String> identifier(Identity identity) {
        X509Certificate certificate = identity.chain().getFirst();
        Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
        return AuthorityKey.identifier(certificate).map(issuer -> encoder.encodeToString(issuer) + "."
                + encoder.encodeToString(certificate.getSerialNumber().toByteArray()));
    }

    private static URL url(URL base, String identifier) throws AcmeException {
        try {
            String separator = base.toString().endsWith("/") ? "" : "/";
            return URI.create(base + separator + identifier).toURL();
        } catch (MalformedURLException notOne) {
            throw new AcmeException("renewalInfo: found " + base + "; expected a URL", notOne);
        }
    }
}
