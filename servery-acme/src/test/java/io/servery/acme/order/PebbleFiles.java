package io.servery.acme.order;

import io.servery.acme.Issuer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.util.Base64;

/// What a pebble is started with: its configuration, its own certificate, and ports that are free.
record PebbleFiles(Path directory, X509Certificate root, int port, int dnsPort, int managementPort) {
    static final String KEY_ID = "kid-1";
    static final String HMAC_KEY = "zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W";

    static PebbleFiles make(Path directory, Pebble.Manner manner, Workers workers) throws Exception {
        Issuer issuer = Issuer.root();
        KeyPair key = Issuer.key();
        X509Certificate own = issuer.issue(Issuer.Wish.of("127.0.0.1", "localhost"), key);
        pem(directory.resolve("cert.pem"), "CERTIFICATE", own.getEncoded());
        pem(directory.resolve("key.pem"), "PRIVATE KEY", key.getPrivate().getEncoded());
        PebbleFiles files = new PebbleFiles(directory, issuer.certificate(), freePort(), freePort(), freePort());
        Files.writeString(directory.resolve("pebble.json"), """
                {
                  "pebble": {
                    "listenAddress": "127.0.0.1:%d",
                    "managementListenAddress": "",
                    "certificate": "%s",
                    "privateKey": "%s",
                    "httpPort": %d,
                    "tlsPort": %d,
                    "ocspResponderURL": "",
                    "externalAccountBindingRequired": %s,
                    "externalAccountMACKeys": { "%s": "%s" }
                  }
                }
                """.formatted(files.port, directory.resolve("cert.pem"), directory.resolve("key.pem"),
                workers.httpPort(), workers.tlsPort(), manner.externalAccounts(), KEY_ID, HMAC_KEY));
        return files;
    }

    private static void pem(Path file, String label, byte[] der) throws IOException {
        Files.writeString(file, "-----BEGIN " + label + "-----\n" + Base64.getMimeEncoder().encodeToString(der)
                + "\n-----END " + label + "-----\n");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
