package io.servery.core.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/// When the keys of session tickets change.
class TicketKeysTest {
    private static final Instant START = Instant.parse("2026-05-01T12:00:00Z");
    private static final SecureRandom RANDOM = new SecureRandom();
    static final int LATE_MINUTES = 60;

    @Test
    void keysMoveOnePlaceEachPeriod() {
        TicketKeys first = TicketKeys.first(START, RANDOM);
        assertThat(first.accepted()).containsExactly(first.current(), first.next());
        assertThat(first.at(START.plus(TicketKeys.PERIOD).minusNanos(1), RANDOM)).isSameAs(first);
        TicketKeys second = first.at(START.plus(TicketKeys.PERIOD), RANDOM);
        assertThat(second.current()).isEqualTo(first.next());
        assertThat(second.accepted()).containsExactly(first.next(), second.next(), first.current());
        TicketKeys third = second.at(second.rotatesAt(), RANDOM);
        assertThat(third.accepted()).containsExactly(second.next(), third.next(), second.current())
                .doesNotContain(first.current());
    }

    @Test
    void hostThatSleptThroughAPeriodStartsAnew() {
        TicketKeys first = TicketKeys.first(START, RANDOM);
        TicketKeys awake = first.at(START.plus(TicketKeys.PERIOD).plus(TicketKeys.PERIOD), RANDOM);
        assertThat(awake.accepted()).hasSize(2).doesNotContainAnyElementsOf(first.accepted());
        assertThat(awake.rotatesAt()).isEqualTo(START.plus(TicketKeys.PERIOD.multipliedBy(3)));
    }

    /// However the parent's clock comes round, an hour late at most: what sealed a ticket opens it for a session's lifetime,
    /// and nothing opens one that is older than a day. Whoever is one change behind or ahead can open it too.
    @Property(tries = 200)
    void ticketIsGoodForItsLifetimeAndNotForMoreThanADay(
            @ForAll @Size(min = 1, max = 200) List<@IntRange(min = 1, max = LATE_MINUTES) Integer> minutes) {
        Duration late = Duration.ofMinutes(LATE_MINUTES);
        Map<TicketKey, Instant> firstSealed = new HashMap<>();
        Map<TicketKey, Instant> lastSealed = new HashMap<>();
        TicketKeys keys = TicketKeys.first(START, RANDOM);
        Instant now = START;
        for (int step : minutes) {
            TicketKeys before = keys;
            firstSealed.putIfAbsent(before.current(), now);
            now = now.plus(Duration.ofMinutes(step));
            lastSealed.put(before.current(), now);
            keys = keys.at(now, RANDOM);
            assertThat(before.accepted()).contains(keys.current());
            assertThat(keys.accepted()).contains(before.current());
            for (TicketKey sealed : lastSealed.keySet()) {
                if (lastSealed.get(sealed).plus(TicketKeys.SESSION_LIFETIME).minus(late).isAfter(now)) {
                    assertThat(keys.accepted()).contains(sealed);
                }
                if (firstSealed.get(sealed).plus(Duration.ofDays(1)).plus(late).isBefore(now)) {
                    assertThat(keys.accepted()).doesNotContain(sealed);
                }
            }
        }
    }

    @Test
    void keyIsThreePartsAndPrintsNone() {
        byte[] bytes = new byte[TicketKey.BYTES];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        TicketKey key = new TicketKey(bytes);
        assertThat(key.name()).startsWith(0, 1).hasSize(16);
        assertThat(key.sealKey()).startsWith(16, 17).hasSize(16);
        assertThat(key.cipherKey()).startsWith(32, 33).hasSize(16);
        assertThat(key).isEqualTo(new TicketKey(key.bytes())).hasToString("<redacted>");
        assertThatThrownBy(() -> new TicketKey(new byte[47])).isInstanceOf(IllegalArgumentException.class);
    }
}
