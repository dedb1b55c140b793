package io.servery.acme.order;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.servery.acme.Issuer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.shredzone.acme4j.toolbox.JSON;

/// An authority that has what this pebble has not: renewal information (RFC 9773), profiles, rate limits, and answers that are
/// wrong or never end. It verifies nothing: every name is verified already.
final class StubAuthority implements AutoCloseable {
    /// Something that a path answers instead.
    interface Answer {
        void to(HttpExchange exchange) throws Exception;
    }

    /// Which certificates an order brings.
    interface Issuance {
        List<X509Certificate> of(KeyPair publicKeyAlone) throws Exception;
    }

    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
    private final Map<String, Answer> instead = new ConcurrentHashMap<>();
    private final List<JSON> orders = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<Told> told = new CopyOnWriteArrayList<>();
    private final List<String> accountKeys = new CopyOnWriteArrayList<>();
    private final AtomicInteger nonces = new AtomicInteger();
    private final Issuer issuer = Issuer.root();
    private volatile Issuance issuance = key -> List.of(issuer.issue(Issuer.Wish.of("example.com"), key), issuer
            .certificate());
    private volatile List<X509Certificate> issued = List.of();
    private volatile String meta = "";
    private volatile boolean valid;

    StubAuthority() throws Exception {
        server.setExecutor(Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory()));
        server.createContext("/", this::answer);
        server.start();
    }

    URI directory() {
        return URI.create(base() + "/dir");
    }

    Issuer issuer() {
        return issuer;
    }

    /// What the directory says about the authority, as the members of an object.
    void meta(String members) {
        meta = members;
    }

    void issuing(Issuance next) {
        issuance = next;
    }

    /// From now on this path answers so.
    void answering(String path, Answer answer) {
        instead.put(path, answer);
    }

    void asUsual(String path) {
        instead.remove(path);
    }

    /// What was ordered, in its order.
    List<JSON> orders() {
        return orders;
    }

    /// What was said of an account, to `newAccount` or to its own URL.
    record Told(String path, JSON payload) {
        List<String> contacts() {
            return payload.get("contact").asArray().stream().map(JSON.Value::asString).toList();
        }

        /// The key identifier of an external account.
        Optional<String> external() {
            return payload.get("externalAccountBinding").map(JSON.Value::asObject).map(binding -> JSON.parse(
                    new String(Base64.getUrlDecoder().decode(binding.get("protected").asString()),
                            StandardCharsets.UTF_8))
                    .get("kid").asString());
        }
    }

    /// What was said of accounts, in its order.
    List<Told> told() {
        return told;
    }

    /// How many accounts were made.
    int accounts() {
        return accountKeys.size();
    }

    /// The paths asked for, in their order.
    List<String> requests() {
        return requests;
    }

    static void json(HttpExchange exchange, int status, String body) throws IOException {
        send(exchange, status, status < 400 ? "application/json" : "application/problem+json", body);
    }

    static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, content.length == 0 ? -1 : content.length);
        exchange.getResponseBody().write(content);
    }

    static void problem(HttpExchange exchange, int status, String type) throws IOException {
        json(exchange, status, "{\"type\":\"urn:ietf:params:acme:error:" + type + "\",\"detail\":\"because\"}");
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private String base() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        requests.add(path);
        exchange.getResponseHeaders().set("Replay-Nonce", "nonce" + nonces.incrementAndGet());
        try (exchange) {
            Answer other = instead.get(path.startsWith("/ari/") ? "/ari" : path);
            if (other != null) {
                other.to(exchange);
            } else {
                usual(exchange, path);
            }
        } catch (Exception broken) {
            throw new IOException(broken);
        }
    }

    private void usual(HttpExchange exchange, String path) throws Exception {
        switch (path) {
            case "/dir" -> json(exchange, 200, """
                    {"newNonce":"%1$s/nonce","newAccount":"%1$s/account","newOrder":"%1$s/orders",
                     "renewalInfo":"%1$s/ari","meta":{%2$s}}""".formatted(base(), meta));
            case "/nonce" -> exchange.sendResponseHeaders(200, -1);
            case "/account" -> {
                JSON jws = JSON.parse(exchange.getRequestBody());
                String key = part(jws, "protected").get("jwk").asObject().get("x").asString();
                boolean known = accountKeys.contains(key);
                if (!known) {
                    accountKeys.add(key);
                }
                told.add(new Told(path, part(jws, "payload")));
                exchange.getResponseHeaders().set("Location", base() + "/account/" + (accountKeys.indexOf(key) + 1));
                json(exchange, known ? 200 : 201, "{\"status\":\"valid\"}");
            }
            case "/account/1", "/account/2" -> {
                told.add(new Told(path, payload(exchange)));
                json(exchange, 200, "{\"status\":\"valid\"}");
            }
            case "/orders" -> {
                orders.add(payload(exchange));
                valid = false;
                exchange.getResponseHeaders().set("Location", base() + "/order");
                json(exchange, 201, order());
            }
            case "/order" -> json(exchange, 200, order());
            case "/finalize" -> {
                byte[] csr = Base64.getUrlDecoder().decode(payload(exchange).get("csr").asString());
                issued = issuance
                        .of(new KeyPair(new JcaPEMKeyConverter().getPublicKey(new PKCS10CertificationRequest(csr)
                                .getSubjectPublicKeyInfo()), null));
                valid = true;
                json(exchange, 200, order());
            }
            case "/certificate" -> send(exchange, 200, "application/pem-certificate-chain", pem(issued));
            default -> problem(exchange, 404, "malformed");
        }
    }

    private String order() {
        return """
                {"status":"%2$s","identifiers":[{"type":"dns","value":"example.com"}],"authorizations":[],
                 "finalize":"%1$s/finalize","certificate":"%1$s/certificate"}""".formatted(base(), valid
                ? "valid"
                : "ready");
    }

    private static JSON payload(HttpExchange exchange) throws Exception {
        return part(JSON.parse(exchange.getRequestBody()), "payload");
    }

    private static JSON part(JSON jws, String name) throws Exception {
        return JSON.parse(new ByteArrayInputStream(Base64.getUrlDecoder().decode(jws.get(name).asString())));
    }

    private static String pem(List<X509Certificate> chain) throws Exception {
        StringBuilder text = new StringBuilder();
        for (X509Certificate certificate : chain) {
            text.append("-----BEGIN CERTIFICATE-----\n").append(Base64.getMimeEncoder().encodeToString(certificate
                    .getEncoded())).append("\n-----END CERTIFICATE-----\n");
        }
        return text.toString();
    }
}
