package io.servery.acme.order;

import io.servery.acme.renewal.Window;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.connector.Connection;
import org.shredzone.acme4j.connector.Resource;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.toolbox.AcmeUtils;
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

    static Opinion ask(Session session, X509Certificate certificate, Clock clock) throws AcmeException {
        Optional<URL> base = session.resourceUrlOptional(Resource.RENEWAL_INFO);
        if (base.isEmpty()) {
            return Opinion.none();
        }
        try (Connection connection = session.connect()) {
            connection.sendRequest(url(base.get(), certificate), session, null);
            Optional<Duration> retryAfter = connection.getRetryAfter().map(at -> Duration.between(clock.instant(), at));
            JSON window = connection.readJsonResponse().get("suggestedWindow").asObject();
            Instant start = window.get("start").asInstant();
            Instant end = window.get("end").asInstant();
            return new Opinion(end.isAfter(start) ? Optional.of(new Window(start, end)) : Optional.empty(), retryAfter);
        }
    }

    private static URL url(URL base, X509Certificate certificate) throws AcmeException {
        try {
            String separator = base.toString().endsWith("/") ? "" : "/";
            return URI.create(base + separator + AcmeUtils.getRenewalUniqueIdentifier(certificate)).toURL();
        } catch (MalformedURLException notOne) {
            throw new AcmeException("renewalInfo: found " + base + "; expected a URL", notOne);
        }
    }
}
