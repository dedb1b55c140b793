package io.servery.acme.order;

import java.net.URI;
import java.time.Clock;
import java.util.Optional;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.exception.AcmeException;

/// What an authority wants its customers to agree to (RFC 8555, section 7.3.3).
public final class Terms {
    private static final String KEY = "`tls.acme.accept_terms`: found false; expected true, once ";

    private Terms() {
    }

    /// Why a service whose operator has not accepted the terms does not start: one sentence that names them.
    ///
    /// It asks the authority, which takes as long as one request may.
    public static String refusal(AcmeSettings settings, Clock clock) {
        Authority authority = new Authority(settings, new Cancellation(), clock);
        Session session = authority.session();
        String host = settings.acme().directory().getHost();
        try {
            return KEY + session.getMetadata().getTermsOfService().map(Terms::accepted)
                    .orElse("it is accepted that " + host + " has no terms");
        } catch (AcmeException | RuntimeException failed) {
            return KEY + unknown(host, Trouble.of(failed, Optional.empty()));
        } finally {
            session.getHttpClient().shutdownNow();
        }
    }

    /// The same, when it turns out in the middle of an attempt.
    static String unaccepted(URI terms) {
        return KEY + accepted(terms);
    }

    private static String accepted(URI terms) {
        return terms + " is read and accepted";
    }

    private static String unknown(String host, AttemptException why) {
        return "the terms of " + host + " are read and accepted; it could not be asked where they are: "
                + why.detail();
    }
}
