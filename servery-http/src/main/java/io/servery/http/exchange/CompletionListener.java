package io.servery.http.exchange;

import io.servery.core.reason.Reason;
import org.jspecify.annotations.Nullable;

/// Told of every exchange once, when its answer is out or cut short: the access log.
///
/// *Owner:* called on the event loop of the exchange; never blocks, and keeps nothing of the exchange.
@FunctionalInterface
public interface CompletionListener {
    /// An exchange ended.
    ///
    /// @param contentBytes how many bytes of content went out
    /// @param reason why the exchange was refused or cut short; null for a whole and ordinary answer
    void completed(Exchange exchange, int status, long contentBytes, long durationNanos, @Nullable Reason reason);
}
