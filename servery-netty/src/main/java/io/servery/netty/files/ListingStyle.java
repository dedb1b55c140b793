package io.servery.netty.files;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/// The style and the pictures of listings, and the policy that allows this style, a form that leads back here, and
/// nothing else.
final class ListingStyle {
    /// The style sheet.
    static final String CSS = resource("listing.css");

    /// The pictures, each a symbol.
    static final String PICTURES = resource("listing.svg");

    /// The value of Content-Security-Policy.
    static final String POLICY = "default-src 'none'; style-src 'sha256-" + hash(CSS)
            + "'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

    private ListingStyle() {
    }

    private static String resource(String name) {
        try (InputStream stream = ListingStyle.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException(name + ": missing beside " + ListingStyle.class.getName());
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String hash(String style) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(style.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: every JDK has it", e);
        }
    }
}
