package io.servery.interop.load;

import io.servery.interop.Site;
import java.io.IOException;
import java.net.Socket;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/// What the clients ask for: a port of this host, how it is spoken to, and the files that a load needs there.
///
/// @param port where they connect
/// @param tls what secures their connections, if anything does
/// @param small the content of the small file
/// @param largeDigest the SHA-256 of the large one
record Target(int port, Optional<SSLContext> tls, byte[] small, byte[] largeDigest) {
    static final String SMALL = "/1k.txt";
    static final String LARGE = "/large.bin";
    static final int LARGE_BYTES = 10 * 1024 * 1024;
    private static final int LARGE_KIND = 5;

    static Target at(int port) {
        return at(port, Optional.empty());
    }

    static Target at(int port, Optional<SSLContext> tls) {
        return new Target(port, tls, Site.pattern(1024, 1), digest(large()));
    }

    /// What requests are sent through: the connection itself, or TLS over it, which has not begun yet.
    Socket through(Socket connected) throws IOException {
        return tls.isEmpty()
                ? connected
                : tls.get().getSocketFactory().createSocket(connected, "localhost", port, true);
    }

    private static byte[] large() {
        return Site.pattern(LARGE_BYTES, LARGE_KIND);
    }

    static void putFiles(Site site) {
        site.put(LARGE.substring(1), large());
    }

    static byte[] digest(byte[] content) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(content);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
