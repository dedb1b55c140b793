package io.servery.interop.load;

import io.servery.interop.Site;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// What the clients ask for: a port of this host, and the files that a load needs there.
///
/// @param port where they connect
/// @param small the content of the small file
/// @param largeDigest the SHA-256 of the large one
record Target(int port, byte[] small, byte[] largeDigest) {
    static final String SMALL = "/1k.txt";
    static final String LARGE = "/large.bin";
    static final int LARGE_BYTES = 10 * 1024 * 1024;
    private static final int LARGE_KIND = 5;

    static Target at(int port) {
        return new Target(port, Site.pattern(1024, 1), digest(large()));
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
