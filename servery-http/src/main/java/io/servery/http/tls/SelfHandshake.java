package io.servery.http.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

/// A handshake of an identity with a client of its own, in memory: what a peer would find out, found out before any does.
///
/// *Owner*: a thread that may take some milliseconds. *Invariant*: it ends, whatever the two ends say.
final class SelfHandshake {
    private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(false);
    /// Far more than any handshake has; each moves bytes or ends it.
    private static final int TURNS_MAX = 100;

    private final SSLEngine server;
    private final SSLEngine client;
    private final ByteBuffer toClient;
    private final ByteBuffer toServer;
    private final ByteBuffer nothing = ByteBuffer.allocate(0);
    private final ByteBuffer content;

    private SelfHandshake(SSLEngine server, SSLEngine client) {
        this.server = server;
        this.client = client;
        int packet = Math.max(server.getSession().getPacketBufferSize(), client.getSession().getPacketBufferSize());
        toClient = ByteBuffer.allocate(4 * packet);
        toServer = ByteBuffer.allocate(4 * packet);
        content = ByteBuffer.allocate(2 * server.getSession().getApplicationBufferSize());
    }

    /// Shakes hands.
    ///
    /// @throws SSLException when a client would not come to a connection, naming the identity
    static void of(IdentityContext identity) throws SSLException {
        SSLEngine server = identity.newEngine(HEAP);
        try {
            shake(identity, server);
        } catch (SSLException e) {
            throw new SSLException("the identity of " + identity.identity().names()
                    + " cannot shake hands with itself: " + e.getMessage(), e);
        } finally {
            ReferenceCountUtil.release(server);
        }
    }

    private static void shake(IdentityContext identity, SSLEngine server) throws SSLException {
        try (OwnClient own = OwnClient.of(identity.identity())) {
            SSLEngine client = own.newEngine(HEAP);
            try {
                new SelfHandshake(server, client).run();
            } finally {
                ReferenceCountUtil.release(client);
            }
        }
    }

    /// The client knows first: a server that wants its certificate, which it has none of, says no only after that.
    private void run() throws SSLException {
        client.beginHandshake();
        server.beginHandshake();
        for (int turn = 0; turn < TURNS_MAX; turn++) {
            if (isDone(client.getHandshakeStatus()) && turn > 0) {
                return;
            }
            turn(client, toServer, toClient);
            if (!isDone(client.getHandshakeStatus())) {
                turn(server, toClient, toServer);
            }
        }
        throw new SSLException("the handshake with itself does not end");
    }

    private static boolean isDone(SSLEngineResult.HandshakeStatus status) {
        return status == SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING
                || status == SSLEngineResult.HandshakeStatus.FINISHED;
    }

    private void turn(SSLEngine engine, ByteBuffer out, ByteBuffer in) throws SSLException {
        in.flip();
        SSLEngineResult read;
        do {
            content.clear();
            read = engine.unwrap(in, content);
            tasks(engine);
        } while (read.bytesConsumed() > 0 && in.hasRemaining());
        in.compact();
        SSLEngineResult written;
        do {
            written = engine.wrap(nothing, out);
            tasks(engine);
        } while (written.bytesProduced() > 0
                && engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_WRAP);
    }

    private static void tasks(SSLEngine engine) {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }
}
