package io.servery.acme.order;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.servery.acme.challenge.ChallengeBoard;
import io.servery.core.control.Challenges;
import io.servery.core.tls.Identity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedKeyManager;

/// What stands for the workers: real listeners that answer the challenges that are on the board.
final class Workers implements ChallengeBoard, AutoCloseable {
    private static final String ALIAS = "challenge";
    private static final String PATH = "/.well-known/acme-challenge/";

    private final HttpServer http;
    private final SSLServerSocket tls;
    private final AtomicInteger validations = new AtomicInteger();
    private final List<Challenges> published = new CopyOnWriteArrayList<>();
    private volatile Challenges board = Challenges.NONE;
    private volatile UnaryOperator<CompletionStage<Void>> acknowledging = done -> done;
    private volatile boolean lying;

    Workers() throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        http = HttpServer.create(new InetSocketAddress(loopback, 0), 16);
        http.createContext("/", this::answer);
        http.start();
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(new X509ExtendedKeyManager[]{new Keys()}, null, null);
        tls = (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0, 16, loopback);
        SSLParameters parameters = tls.getSSLParameters();
        parameters.setApplicationProtocols(new String[]{"acme-tls/1"});
        tls.setSSLParameters(parameters);
        Thread.ofPlatform().daemon().name("worker").start(this::accept);
    }

    int httpPort() {
        return http.getAddress().getPort();
    }

    int tlsPort() {
        return tls.getLocalPort();
    }

    /// How many validations came in.
    int validations() {
        return validations.get();
    }

    /// What was published, in its order.
    List<Challenges> published() {
        return published;
    }

    /// What becomes of the acknowledgement.
    void acknowledging(UnaryOperator<CompletionStage<Void>> change) {
        acknowledging = change;
    }

    /// Whether they answer with something else.
    void lying(boolean lie) {
        lying = lie;
    }

    @Override
    public CompletionStage<Void> publish(Challenges responses) {
        published.add(responses);
        board = responses;
        return responses.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : acknowledging.apply(CompletableFuture.completedFuture(null));
    }

    private void answer(HttpExchange exchange) throws IOException {
        validations.incrementAndGet();
        String path = exchange.getRequestURI().getPath();
        byte[] content = board.http().stream().filter(one -> path.equals(PATH + one.token()))
                .map(Challenges.Http::keyAuthorization).findFirst().map(text -> lying ? "lie" : text)
                .orElse("").getBytes(StandardCharsets.US_ASCII);
        exchange.sendResponseHeaders(content.length == 0 ? 404 : 200, content.length == 0 ? -1 : content.length);
        exchange.getResponseBody().write(content);
        exchange.close();
    }

    private void accept() {
        while (!tls.isClosed()) {
            try (SSLSocket socket = (SSLSocket) tls.accept()) {
                validations.incrementAndGet();
                socket.startHandshake();
                socket.getInputStream().read();
            } catch (IOException _) {
                // The authority closes after the handshake, and the test closes the listener.
            }
        }
    }

    @Override
    public void close() throws IOException {
        http.stop(0);
        tls.close();
    }

    /// Chooses the certificate by the server name. One handshake at a time: there is one accepting thread.
    private final class Keys extends X509ExtendedKeyManager {
        private volatile Identity chosen;

        @Override
        public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
            ExtendedSSLSession session = (ExtendedSSLSession) ((SSLSocket) socket).getHandshakeSession();
            for (SNIServerName name : session.getRequestedServerNames()) {
                String text = new String(name.getEncoded(), StandardCharsets.US_ASCII);
                for (Challenges.Alpn one : board.alpn()) {
                    if (one.serverName().equals(text) && !lying && keyType.equals("EC")) {
                        chosen = Identity.of(one.certificate(), one.key());
                        return ALIAS;
                    }
                }
            }
            return null;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return new X509Certificate[]{chosen.chain().getFirst()};
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return chosen.key();
        }

        @Override
        public String[] getServerAliases(String keyType, Principal[] issuers) {
            return new String[]{ALIAS};
        }

        @Override
        public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
            throw new AssertionError(new SSLHandshakeException("sockets only"));
        }

        @Override
        public String[] getClientAliases(String keyType, Principal[] issuers) {
            return new String[0];
        }

        @Override
        public String chooseClientAlias(String[] keyType, Principal[] issuers, Socket socket) {
            throw new AssertionError("servers only");
        }
    }
}
