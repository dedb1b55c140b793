package io.servery.netty.admission;

import io.servery.http.exchange.Refusal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Counts the open connections of the worker, from accept to close, and refuses those past the bounds.
///
/// *Owner:* any event loop. *Invariant:* what was admitted is released once.
public final class ConnectionAdmission {
    private volatile int connectionsMax;
    private volatile int perClientMax;
    private final AtomicInteger open = new AtomicInteger();
    /// At most as many entries as there are open connections. Counted without a bound too: one may be set meanwhile.
    private final ConcurrentHashMap<InetAddress, Integer> openByClient = new ConcurrentHashMap<>();
    private volatile @Nullable CompletableFuture<Void> idle;

    /// @param perClientMax 0 means no bound of its own
    public ConnectionAdmission(int connectionsMax, int perClientMax) {
        this.connectionsMax = connectionsMax;
        this.perClientMax = perClientMax;
    }

    /// Sets other bounds for connections that come from now on; who is in stays.
    ///
    /// @param perClient 0 means no bound of its own
    public void bound(int connections, int perClient) {
        connectionsMax = connections;
        perClientMax = perClient;
    }

    /// Admits a connection, to be released when it closes, or says why not.
    public @Nullable Refusal admit(@Nullable SocketAddress peer) {
        if (open.incrementAndGet() > connectionsMax) {
            left();
            return Refusal.CONNECTIONS_FULL;
        }
        if (peer instanceof InetSocketAddress client && !admitClient(client.getAddress())) {
            left();
            return Refusal.CLIENT_CONNECTIONS_FULL;
        }
        return null;
    }

    private boolean admitClient(InetAddress client) {
        int max = perClientMax;
        boolean[] admitted = new boolean[1];
        openByClient.compute(client, (_, count) -> {
            int before = count == null ? 0 : count;
            admitted[0] = max == 0 || before < max;
            return admitted[0] ? Integer.valueOf(before + 1) : count;
        });
        return admitted[0];
    }

    /// An admitted connection has closed.
    public void release(@Nullable SocketAddress peer) {
        if (peer instanceof InetSocketAddress client) {
            openByClient.computeIfPresent(client.getAddress(), (_, count) -> count == 1 ? null : count - 1);
        }
        left();
    }

    private void left() {
        if (open.decrementAndGet() == 0) {
            CompletableFuture<Void> waiting = idle;
            if (waiting != null) {
                waiting.complete(null);
            }
        }
    }

    /// How many admitted connections are open now.
    public int open() {
        return open.get();
    }

    /// How many clients are remembered now.
    int clients() {
        return openByClient.size();
    }

    /// Completes when no admitted connection is open; to be asked for when nothing new is admitted any more.
    public CompletableFuture<Void> idle() {
        CompletableFuture<Void> waiting = new CompletableFuture<>();
        idle = waiting;
        if (open.get() == 0) {
            waiting.complete(null);
        }
        return waiting;
    }
}
