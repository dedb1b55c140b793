package io.servery.acme.renewal;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The moments at which something is due.
final class Schedule {
    /// After a first failure; then three times as long each time: five attempts in the first hour, which is how many failed
    /// validations of a name Let's Encrypt allows in one.
    private static final Duration BACKOFF_MIN = Duration.ofMinutes(1);
    private static final Duration BACKOFF_MAX = Duration.ofHours(6);
    private static final int BACKOFF_FACTOR = 3;
    /// So long after an activation nothing is due, whatever the authority or the configuration says, or a sixth of the
    /// lifetime if that is shorter: else one that calls every new certificate overdue would be asked for the next at once.
    private static final Duration REST = Duration.ofHours(1);
    private static final int REST_SHARE = 6;
    /// The part of its lifetime that a certificate has left when nobody says when to renew it.
    private static final int REMAINING_SHARE = 3;
    /// By how much of the lifetime the moment may be earlier, so that services that began together part.
    private static final int JITTER_SHARE = 30;
    /// A suggested window does not put off the moment beyond the last tenth of the lifetime.
    private static final int LAST_SHARE = 10;

    private Schedule() {
    }

    /// When the certificate should be renewed, failures aside; the beginning of time when there is none.
    static Instant due(Policy policy, Optional<Lifetime> held, Optional<Window> window, History history) {
        if (held.isEmpty()) {
            return Instant.EPOCH;
        }
        Lifetime certificate = held.get();
        Instant wanted = policy.renewBefore().map(before -> before(policy, certificate, before))
                .or(() -> window.map(suggested -> within(policy, certificate, suggested)))
                .orElseGet(() -> before(policy, certificate, part(certificate.length(), 1.0 / REMAINING_SHARE)));
        Instant rested = history.activatedAt().map(at -> at.plus(rest(certificate))).orElse(Instant.EPOCH);
        return earlier(later(wanted, rested), certificate.until());
    }

    /// When it is tried at the earliest: failures and what the authority asked for considered.
    static Instant attempt(Policy policy, Instant due, History history) {
        Instant rested = history.failedAt().map(at -> at.plus(backoff(policy, history))).orElse(Instant.EPOCH);
        return later(later(due, rested), history.blockedUntil().orElse(Instant.EPOCH));
    }

    /// How long to wait after the last failure of a row: up to a fifth longer than its rule, so that services that failed
    /// together part.
    static Duration backoff(Policy policy, History history) {
        Duration delay = BACKOFF_MIN;
        for (int i = 1; i < history.failures() && delay.compareTo(BACKOFF_MAX) < 0; i++) {
            delay = Duration.ofMillis(delay.toMillis() * BACKOFF_FACTOR);
        }
        Duration bounded = delay.compareTo(BACKOFF_MAX) < 0 ? delay : BACKOFF_MAX;
        return bounded.plus(part(bounded, policy.chance("backoff " + history.failures()) / 5));
    }

    /// A certificate lives at least half of its life, however long before its end it should be renewed.
    private static Instant before(Policy policy, Lifetime certificate, Duration wanted) {
        Duration half = part(certificate.length(), 0.5);
        Duration jitter = part(certificate.length(), policy.chance(certificate.serial()) / JITTER_SHARE);
        return later(certificate.until().minus(wanted).minus(jitter), certificate.until().minus(half));
    }

    /// A moment of the window that stays the same for as long as the window does (RFC 9773, section 4.2).
    private static Instant within(Policy policy, Lifetime certificate, Window window) {
        Duration width = Duration.between(window.start(), window.end());
        Instant chosen = window.start().plus(part(width, policy.chance(certificate.serial() + window)));
        return earlier(chosen, certificate.until().minus(part(certificate.length(), 1.0 / LAST_SHARE)));
    }

    private static Duration rest(Lifetime certificate) {
        Duration share = part(certificate.length(), 1.0 / REST_SHARE);
        return share.compareTo(REST) < 0 ? share : REST;
    }

    /// In milliseconds, so that no lifetime overflows.
    private static Duration part(Duration whole, double share) {
        return Duration.ofMillis((long) (whole.toMillis() * share));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
