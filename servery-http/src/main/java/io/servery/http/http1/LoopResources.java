package io.servery.http.http1;

import io.netty.channel.Channel;
import io.netty.channel.RecvByteBufAllocator;
import io.servery.core.metric.MetricShard;
import io.servery.http.exchange.RequestHead;
import io.servery.http.semantics.FieldName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What the HTTP/1 connections of one event loop share: buffers, spare exchanges, the date, what was judged before, the
/// counters, and who is open.
///
/// *Owner:* that event loop.
public final class LoopResources {
    /// So many exchanges are kept for reuse; a burst past it is left to the collector.
    private static final int SPARES_MAX = 64;

    /// How long a connection that has not come to HTTP yet is waited for in a drain.
    private static final long ARRIVAL_GRACE_MILLIS = 1000;

    private static final byte[] NO_LINE = {};

    private final MetricShard shard;
    private final byte[] strictTransportLine;
    private final DateLine date = new DateLine();
    private final LoopBuffers buffers = new LoopBuffers();
    private final PathMemo paths = new PathMemo();
    private byte @Nullable [] soundHost;
    private final ArrayDeque<Http1Exchange> spares = new ArrayDeque<>();
    private final Set<Http1Connection> open = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<Channel> arriving = Collections.newSetFromMap(new IdentityHashMap<>());

    private int refusedLingering;
    private boolean draining;

    /// @param shard the counters of this event loop
    public LoopResources(MetricShard shard) {
        this(shard, Duration.ZERO);
    }

    /// The same where answers over TLS bind a browser to TLS (RFC 6797).
    ///
    /// @param strictTransport for how long, in whole seconds; zero says nothing of it
    public LoopResources(MetricShard shard, Duration strictTransport) {
        if (strictTransport.isNegative()) {
            throw new IllegalArgumentException("strictTransport: found " + strictTransport + "; expected zero or more");
        }
        this.shard = shard;
        strictTransportLine = strictTransport.toSeconds() == 0
                ? NO_LINE
                : ("Strict-Transport-Security: max-age=" + strictTransport.toSeconds() + "\r\n")
                        .getBytes(StandardCharsets.US_ASCII);
    }

    /// The connections that are open now: a copy, so that draining one may close it.
    public List<Http1Connection> connections() {
        return new ArrayList<>(open);
    }

    /// A connection has something to pass before HTTP is spoken, a handshake. In a drain it is closed if that takes long.
    public void arrives(Channel channel) {
        arriving.add(channel);
        if (draining) {
            closeSoon(channel);
        }
    }

    /// That is behind it, or will never be.
    public void arrived(Channel channel) {
        arriving.remove(channel);
    }

    /// Has every connection that still comes here end after what it is at; those that are open are told by
    /// [Http1Connection#drain].
    public void drain() {
        draining = true;
        arriving.forEach(this::closeSoon);
    }

    /// A loop that was held up looks at the sockets once more first, as [Deadline] does.
    private void closeSoon(Channel channel) {
        after(ARRIVAL_GRACE_MILLIS, channel, () -> after(0, channel, () -> {
            if (arriving.contains(channel)) {
                var _ = channel.close();
            }
        }));
    }

    private static void after(long millis, Channel channel, Runnable step) {
        var _ = channel.eventLoop().schedule(step, millis, TimeUnit.MILLISECONDS);
    }

    /// Closes the connections that have not come to HTTP: no work is cut short.
    public void closeArriving() {
        for (Channel channel : List.copyOf(arriving)) {
            var _ = channel.close();
        }
    }

    boolean draining() {
        return draining;
    }

    MetricShard shard() {
        return shard;
    }

    /// How channels of this event loop are to read: set it on each before it is registered.
    public RecvByteBufAllocator readBuffers() {
        return buffers;
    }

    LoopBuffers buffers() {
        return buffers;
    }

    PathMemo paths() {
        return paths;
    }

    /// Whether the value of Host is the one that was found sound last: most requests come for one host.
    boolean isSoundHost(RequestHead head) {
        return soundHost != null && head.valueIs(FieldName.HOST, soundHost);
    }

    void soundHost(String value) {
        soundHost = value.getBytes(StandardCharsets.ISO_8859_1);
    }

    byte[] dateLine() {
        return date.at(System.currentTimeMillis());
    }

    /// The field line that answers over TLS carry (RFC 6797 §6.1), with its CRLF; empty when there is none.
    byte[] strictTransportLine() {
        return strictTransportLine;
    }

    int refusedLingering() {
        return refusedLingering;
    }

    void refusedLingers(int delta) {
        refusedLingering += delta;
    }

    void opened(Http1Connection connection) {
        open.add(connection);
    }

    void closed(Http1Connection connection) {
        open.remove(connection);
        if (open.isEmpty()) {
            buffers.release();
        }
    }

    Http1Exchange takeExchange(Http1Connection connection) {
        Http1Exchange spare = spares.poll();
        Http1Exchange exchange = spare == null ? new Http1Exchange() : spare;
        exchange.begin(connection);
        return exchange;
    }

    /// Takes back an exchange that nobody refers to any more.
    void giveBack(Http1Exchange exchange) {
        if (spares.size() < SPARES_MAX) {
            exchange.reset();
            spares.push(exchange);
        }
    }
}
