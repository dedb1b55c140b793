package io.servery.netty.worker;

import io.netty.channel.EventLoop;
import io.servery.core.metric.MetricShard;
import io.servery.http.exchange.HttpService;
import io.servery.http.http1.Http1Connection;
import io.servery.http.http1.Http1Limits;
import io.servery.http.http1.LoopResources;
import java.util.function.Supplier;

/// One event loop with all that its connections share: its counters, its spare exchanges, its own instance of the service.
///
/// *Owner:* made while the worker starts; then used on that event loop alone.
///
/// @param limits of a connection that comes now
record Loop(EventLoop eventLoop, MetricShard shard, LoopResources resources, HttpService service,
        Supplier<Http1Limits> limits) {
    Http1Connection newConnection() {
        return new Http1Connection(service, limits.get(), resources);
    }
}
