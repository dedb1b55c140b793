package io.servery.netty.worker;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.servery.core.metric.MetricShard;
import io.servery.http.exchange.HttpService;
import io.servery.http.http1.Http1Connection;
import io.servery.http.http1.Http1Limits;
import io.servery.http.http1.LoopResources;
import io.servery.http.tls.TlsConnection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One event loop with all that its connections share: its counters, its spare exchanges, its own instance of the service.
///
/// *Owner:* made while the worker starts; then used on that event loop alone.
///
/// @param limits of a connection that comes now
/// @param entry what a connection has to pass first; null where all is plain
record Loop(EventLoop eventLoop, MetricShard shard, LoopResources resources, HttpService service,
        Supplier<Http1Limits> limits, @Nullable SecureEntry entry) {
    /// Puts whoever serves it into the pipeline of a connection that was accepted.
    void serve(Channel channel) {
        channel.config().setRecvByteBufAllocator(resources.readBuffers());
        if (entry == null) {
            channel.pipeline().addLast(new Http1Connection(service, limits.get(), resources));
        } else {
            entry.begin(channel, this);
        }
    }

    Http1Connection newConnection(TlsConnection tls) {
        return new Http1Connection(service, limits.get(), resources, tls);
    }
}
