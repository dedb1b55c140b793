package io.servery.http.http1;

import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.http.exchange.HttpService;
import io.servery.http.exchange.RefusalPages;
import io.servery.http.exchange.ResponsePlan;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A service that answers everything at once with one plan, and the limits of its connections.
final class ConstantService {
    private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);
    static final Http1Limits LIMITS = new Http1Limits(32 << 10, 100, 8 << 10, 1 << 20, 64 << 10, 0, HOUR_NANOS,
            HOUR_NANOS,
            0, HOUR_NANOS, HOUR_NANOS);

    private ConstantService() {
    }

    static Http1Connection connection(ResponsePlan plan) {
        HttpService service = new HttpService(List.of(), exchange -> exchange.respond(plan), new RefusalPages(false),
                (_, _, _, _, _) -> {
                }, bug -> {
                    throw new IllegalStateException(bug);
                });
        return new Http1Connection(service, LIMITS,
                new LoopResources(new MetricRegistry(MetricScope.http1Files()).loopShard()));
    }

    /// The head of a request with this many fields beside Host, of 40 bytes each.
    static byte[] request(int fields) {
        return ("GET /1k.txt HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n"
                + "X-Field-Name: a value of thirty bytes now\r\n".repeat(fields) + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }
}
