package io.servery.http.exchange;

import org.jspecify.annotations.Nullable;

/// Decides whether an exchange may go on. Stages never block and never write.
@FunctionalInterface
public interface Stage {
    /// Null to go on, or the row of the refusal table that ends the exchange.
    @Nullable
    Refusal judge(Exchange exchange);
}
