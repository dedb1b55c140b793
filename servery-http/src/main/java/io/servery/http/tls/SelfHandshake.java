package io.servery.http.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.interfaces.ECKey;
import java.security.interfaces.RSAKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/// A handshake of an identity with a client of its own, in memory: what a peer would find out, found out before any does.
/// The client takes the very certificate that is to be shown, and no other.
///
/// *Owner*: a thread that may take some milliseconds. *Invariant*: it ends, whatever the two ends say.
final class SelfHandshake {
    private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(false);
    /// Far more than any handshake has; each moves bytes or ends it.
    private static final int TURNS_MAX = 100;
    private static final int P_384_BITS = 384;

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

    /// BoringSSL as a client takes neither Ed25519 nor P-521; the JDK does.
    private static void shake(IdentityContext identity, SSLEngine server) throws SSLException {
        X509ExtendedTrustManager trust = new ThisOne(identity.identity().chain().getFirst());
        if (!isOfBoringSsl(identity.identity().key())) {
            new SelfHandshake(server, ofJdk(trust)).run();
            return;
        }
        SslContext forClient = SslContextBuilder.forClient().sslProvider(SslProvider.OPENSSL_REFCNT)
                .trustManager(trust).build();
        try {
            SSLEngine client = forClient.newEngine(HEAP);
            try {
                new SelfHandshake(server, client).run();
            } finally {
                ReferenceCountUtil.release(client);
            }
        } finally {
            ReferenceCountUtil.release(forClient);
        }
    }

    private static boolean isOfBoringSsl(PrivateKey key) {
        return key instanceof RSAKey
                || key instanceof ECKey curve && curve.getParams().getOrder().bitLength() <= P_384_BITS;
    }

    private static SSLEngine ofJdk(X509ExtendedTrustManager trust) throws SSLException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[]{trust}, null);
            SSLEngine client = context.createSSLEngine();
            client.setUseClientMode(true);
            return client;
        } catch (GeneralSecurityException e) {
            throw new SSLException(e);
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

    /// Takes one certificate.
    private static final class ThisOne extends X509ExtendedTrustManager {
        private final X509Certificate expected;

        ThisOne(X509Certificate expected) {
            this.expected = expected;
        }

        private void check(X509Certificate[] chain) throws CertificateException {
            if (chain.length == 0 || !chain[0].equals(expected)) {
                throw new CertificateException("found another certificate; expected the one to be shown");
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw new CertificateException("a client trusts no client");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            throw new CertificateException("a client trusts no client");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            throw new CertificateException("a client trusts no client");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
