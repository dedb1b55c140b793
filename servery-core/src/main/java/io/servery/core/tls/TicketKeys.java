package io.servery.core.tls;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The keys of session tickets at one moment: what seals now, what will seal next, what sealed before.
///
///     made ──► next (12 h: accepted) ──► current (12 h: seals) ──► previous (12 h: accepted) ──► forgotten
///
/// The next one is accepted ahead of its time, so that workers that learn of a change one after another take each other's
/// tickets. A ticket is good for 12 hours at least and 24 at most, and no key can open one that is older than a day:
/// sessions stay secret when a key becomes known later (RFC 8446 §8.1, RFC 5077 §5.5).
///
/// *Owner*: one parent process makes and rotates; others get the values.
///
/// @param rotatesAt when the next becomes the current
public record TicketKeys(TicketKey current, TicketKey next, Optional<TicketKey> previous, Instant rotatesAt) {
    /// How long a key seals.
    public static final Duration PERIOD = Duration.ofHours(12);

    /// How long a session can be resumed: as long as the key of its ticket is sure to be accepted.
    public static final Duration SESSION_LIFETIME = PERIOD;

    /// The first keys of a service.
    public static TicketKeys first(Instant now, SecureRandom random) {
        return new TicketKeys(TicketKey.random(random), TicketKey.random(random), Optional.empty(), now.plus(PERIOD));
    }

    /// The keys at a moment: these, or those that follow. A host that slept through a whole period starts anew, as a key
    /// that waited for so long has passed its time.
    public TicketKeys at(Instant now, SecureRandom random) {
        if (now.isBefore(rotatesAt)) {
            return this;
        }
        if (!now.isBefore(rotatesAt.plus(PERIOD))) {
            return first(now, random);
        }
        return new TicketKeys(next, TicketKey.random(random), Optional.of(current), rotatesAt.plus(PERIOD));
    }

    /// All that are accepted, the one that seals first.
    public List<TicketKey> accepted() {
        List<TicketKey> keys = new ArrayList<>(List.of(current, next));
        previous.ifPresent(keys::add);
        return keys;
    }
}
