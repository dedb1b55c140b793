package io.servery.http.exchange;

/// Answers exchanges: at once, or later by `Exchange.deliver`.
@FunctionalInterface
public interface Handler {
    /// Called on the event loop of the exchange; never blocks. An exception answers 500 and closes the connection.
    void handle(Exchange exchange);
}
