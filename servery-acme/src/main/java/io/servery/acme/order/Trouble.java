package io.servery.acme.order;

import io.servery.core.reason.Reason;
import java.time.Instant;
import java.util.Optional;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.exception.AcmeLazyLoadingException;
import org.shredzone.acme4j.exception.AcmeNetworkException;
import org.shredzone.acme4j.exception.AcmeServerException;

/// What acme4j throws, as the reason that operators know.
///
/// A problem document (RFC 8555, section 6.7) is the authority's word: `ca_rejected`. Everything else that is no ACME is
/// `network_failure`: no answer, a late one, the page of a proxy, JSON that lacks what it must have, a directory without the
/// resources that every authority has (section 7.1.1).
final class Trouble {
    private Trouble() {
    }

    /// Whatever ended a conversation, as what is said of it. acme4j reads answers lazily and says what is wrong with them by
    /// unchecked exceptions of many kinds; an [Error] is the machine's: no memory, no library.
    ///
    /// @param retryAfter of the answer that was the last
    static AttemptException of(Throwable thrown, Optional<Instant> retryAfter) {
        return switch (thrown) {
            case AttemptException said -> said;
            case AcmeServerException problem -> new AttemptException(Reason.CA_REJECTED,
                    problem.getType() + ": " + problem.getMessage(), retryAfter);
            case AcmeNetworkException lost when lost.getCause() != null ->
                new AttemptException(Reason.NETWORK_FAILURE, describe(lost.getCause()), retryAfter);
            case AcmeException failed -> new AttemptException(Reason.NETWORK_FAILURE, describe(failed), retryAfter);
            case AcmeLazyLoadingException lazy when lazy.getCause() instanceof AcmeException cause ->
                of(cause, retryAfter);
            case RuntimeException unreadable -> new AttemptException(Reason.NETWORK_FAILURE,
                    "found an answer that cannot be read as ACME: " + describe(unreadable), retryAfter);
            default -> new AttemptException(Reason.NETWORK_FAILURE,
                    "found that the attempt could not be made: " + describe(thrown), Optional.empty());
        };
    }

    /// Whether the authority gave this type of problem (RFC 8555, section 6.7).
    private static boolean is(AcmeException thrown, String type) {
        return thrown instanceof AcmeServerException problem
                && problem.getType().toString().equals("urn:ietf:params:acme:error:" + type);
    }

    /// Whether the same request may be answered otherwise later (RFC 8555, section 6.7).
    static boolean passes(AcmeServerException refused) {
        return is(refused, "rateLimited") || is(refused, "serverInternal") || is(refused, "badNonce");
    }

    /// Whether it was asked too often (RFC 8555, section 6.6): about what was asked for that says nothing.
    static boolean isLimit(Exception thrown) {
        return thrown instanceof AcmeException refused && is(refused, "rateLimited");
    }

    private static String describe(Throwable thrown) {
        return thrown.getClass().getSimpleName() + (thrown.getMessage() == null ? "" : ": " + thrown.getMessage());
    }
}
