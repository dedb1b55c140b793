package io.servery.netty.challenge;

import io.servery.core.control.Challenges;
import io.servery.http.exchange.Exchange;
import io.servery.http.exchange.Handler;
import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponsePlan;
import io.servery.http.semantics.Method;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The challenges of HTTP-01 that stand (RFC 8555 §8.3), answered in front of whatever else a listener does. Over
/// TLS too: who validates follows redirects, also to a certificate that it does not trust or that is for others.
///
/// While none stands a request costs one reading of a field. The host that is asked does not matter: a token is a secret of
/// one challenge.
///
/// *Owner*: one thread posts, any event loop answers.
public final class HttpChallenges {
    private static final String PATH = "/.well-known/acme-challenge/";

    /// By their paths; null while none stands.
    private volatile @Nullable Map<String, ResponsePlan.Bytes> standing;

    /// From now on these are answered and no others.
    public void post(List<Challenges.Http> challenges) {
        standing = challenges.isEmpty()
                ? null
                : challenges.stream().collect(Collectors.toUnmodifiableMap(one -> PATH + one.token(),
                        one -> answer(one.keyAuthorization())));
    }

    private static ResponsePlan.Bytes answer(String keyAuthorization) {
        byte[] content = keyAuthorization.getBytes(StandardCharsets.US_ASCII);
        return new ResponsePlan.Bytes(ResponseHead.status(200).with("Content-Type", "application/octet-stream")
                .with("X-Content-Type-Options", "nosniff").with("Cache-Control", "no-store").length(content.length),
                content);
    }

    /// Whether this asks for one that stands.
    public boolean answers(Exchange exchange) {
        Map<String, ResponsePlan.Bytes> answers = standing;
        return answers != null && answer(answers, exchange) != null;
    }

    /// Answers challenges, and leaves everything else to another.
    public Handler before(Handler next) {
        return exchange -> {
            Map<String, ResponsePlan.Bytes> answers = standing;
            ResponsePlan.Bytes answer = answers == null ? null : answer(answers, exchange);
            if (answer == null) {
                next.handle(exchange);
            } else {
                exchange.respond(answer);
            }
        };
    }

    private static ResponsePlan.@Nullable Bytes answer(Map<String, ResponsePlan.Bytes> answers, Exchange exchange) {
        Method method = exchange.head().method();
        return method == Method.GET || method == Method.HEAD ? answers.get(exchange.path().decoded()) : null;
    }
}
