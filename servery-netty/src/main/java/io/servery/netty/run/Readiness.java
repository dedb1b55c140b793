package io.servery.netty.run;

import io.servery.admin.Health;
import io.servery.core.lifecycle.Cause;
import io.servery.core.lifecycle.Condition;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// What the admin listener says of the parent: live as long as its loop turns, ready when the fleet is.
///
/// *Owner*: the loop writes; any thread asks.
final class Readiness {
    /// The loop turns at least once a second.
    private static final long STANDSTILL_NANOS = Duration.ofSeconds(5).toNanos();

    private volatile Condition condition = Condition.STARTING;
    private volatile long turnedNanos = System.nanoTime();

    void published(Condition now) {
        condition = now;
    }

    void turned() {
        turnedNanos = System.nanoTime();
    }

    /// @param amiss what is wrong with what is shown to peers
    Health health(List<Cause> amiss) {
        if (System.nanoTime() - turnedNanos > STANDSTILL_NANOS) {
            return Health.failed(List.of("control_loop_stands_still"));
        }
        if (condition == Condition.READY && !amiss.isEmpty()) {
            return Health.notReady(amiss.stream().map(cause -> cause.reason().code()).toList());
        }
        return condition == Condition.READY
                ? Health.readyNow()
                : Health.notReady(List.of(condition.name().toLowerCase(Locale.ROOT)));
    }
}
