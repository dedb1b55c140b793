package io.servery.netty.admission;

import io.servery.http.exchange.Refusal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Counts the open connections of the worker, from accept to close, and refuses those past the bounds.
///
/// *Owner:* any event loop. *Invariant:* what was admitted is released once.
public final class ConnectionAdmission {
    private final int connectionsMax;
    private final int perClientMax;
    private final AtomicInteger open = new AtomicInteger();
    /// Empty without a bound for each client; else it has at most as many entries as there are open connections.
    private final ConcurrentHashMap<InetAddress, Integer> openByClient = new ConcurrentHashMap<>();

    /// @param perClientMax 0 means no bound of its own
    public ConnectionAdmission(int connectionsMax, int perClientMax) {
        this.connectionsMax = connectionsMax;
        this.perClientMax = perClientMax;
    }

    /// Admits a connection, to be released when it closes, or says why not.
    public @Nullable Refusal admit(SocketAddress peer) {
        if (open.incrementAndGet() > connectionsMax) {
            open.decrementAndGet();
            return Refusal.CONNECTIONS_FULL;
        }
        if (perClientMax > 0 && peer instanceof InetSocketAddress client && !admitClient(client.getAddress())) {
            open.decrementAndGet();
            return Refusal.CLIENT_CONNECTIONS_FULL;
        }
        return null;
    }

    private boolean admitClient(InetAddress client) {
        boolean[] admitted = new boolean[1];
        openByClient.compute(client, (_, count) -> {
            int before = count == null ? 0 : count;
            admitted[0] = before < perClientMax;
            return admitted[0] ? before + 1 : count;
        });
        return admitted[0];
    }

    /// An admitted connection has closed.
    public void release(SocketAddress peer) {
        open.decrementAndGet();
        if (perClientMax > 0 && peer instanceof InetSocketAddress client) {
            openByClient.computeIfPresent(client.getAddress(), (_, count) -> count == 1 ? null : count - 1);
        }
    }

    /// How many admitted connections are open now.
    public int open() {
        return open.get();
    }
}
