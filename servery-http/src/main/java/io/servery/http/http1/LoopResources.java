package io.servery.http.http1;

import io.servery.core.metric.MetricShard;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/// What the HTTP/1 connections of one event loop share: spare exchanges, the date, the counters, and who is open.
///
/// *Owner:* that event loop.
public final class LoopResources {
    /// So many exchanges are kept for reuse; a burst past it is left to the collector.
    private static final int SPARES_MAX = 64;

    private final MetricShard shard;
    private final DateLine date = new DateLine();
    private final ArrayDeque<Http1Exchange> spares = new ArrayDeque<>();
    private final Set<Http1Connection> open = Collections.newSetFromMap(new IdentityHashMap<>());

    private int refusedLingering;

    /// @param shard the counters of this event loop
    public LoopResources(MetricShard shard) {
        this.shard = shard;
    }

    /// The connections that are open now: a copy, so that draining one may close it.
    public List<Http1Connection> connections() {
        return new ArrayList<>(open);
    }

    MetricShard shard() {
        return shard;
    }

    byte[] dateLine() {
        return date.at(System.currentTimeMillis());
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
