package io.servery.http.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import io.servery.core.tls.Identity;
import java.net.Socket;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.security.interfaces.RSAKey;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedTrustManager;

/// A client of this process for one of its own identities: it takes the very certificate that is to be shown, and no other.
/// It has no certificate of its own.
///
/// *Owner*: the thread that makes it and closes it. *Invariant*: what it has made stays usable when it is closed.
public final class OwnClient implements AutoCloseable {
    private static final int P_384_BITS = 384;

    private final SslContext context;

    private OwnClient(SslContext context) {
        this.context = context;
    }

    /// BoringSSL as a client takes neither Ed25519 nor P-521; the JDK does.
    public static OwnClient of(Identity identity) throws SSLException {
        return new OwnClient(SslContextBuilder.forClient()
                .sslProvider(isOfBoringSsl(identity.key()) ? SslProvider.OPENSSL_REFCNT : SslProvider.JDK)
                .trustManager(new ThisOne(identity.chain().getFirst())).build());
    }

    private static boolean isOfBoringSsl(PrivateKey key) {
        return key instanceof RSAKey
                || key instanceof ECKey curve && curve.getParams().getOrder().bitLength() <= P_384_BITS;
    }

    /// An engine, which is to be released where it is counted.
    SSLEngine newEngine(ByteBufAllocator allocator) {
        return context.newEngine(allocator);
    }

    /// A handler for a connection, which asks for a host by its name where that has several labels.
    ///
    /// @param session a session of an earlier connection with this number, and with that host, is resumed if there is one
    public SslHandler newHandler(ByteBufAllocator allocator, String host, int session) {
        return context.newHandler(allocator, host, session);
    }

    @Override
    public void close() {
        ReferenceCountUtil.release(context);
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
