package io.servery.netty.worker;

import io.servery.http.exchange.Exchange;
import io.servery.http.exchange.Refusal;
import io.servery.http.exchange.Stage;
import io.servery.http.semantics.Method;
import org.jspecify.annotations.Nullable;

/// Answers, before any handler, the methods that this server does not implement: those it does not know, CONNECT (it is no
/// proxy, RFC 9110 §9.3.6) and TRACE (which would echo credentials, §9.3.8).
final class MethodStage implements Stage {
    @Override
    public @Nullable Refusal judge(Exchange exchange) {
        Method method = exchange.head().method();
        return method == Method.UNKNOWN || method == Method.CONNECT || method == Method.TRACE
                ? Refusal.UNSUPPORTED_METHOD
                : null;
    }
}
