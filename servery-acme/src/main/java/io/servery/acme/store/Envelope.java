package io.servery.acme.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/// The form of every file: a line that names the form, the kind and the SHA-256 of all that follows.
///
/// Behind it stand PEM blocks where there are any, so that `openssl x509 -in FILE` reads a certificate.
final class Envelope {
    private static final String FORM = "servery-acme 1 ";
    private static final int LINE_MAX = 200;

    private Envelope() {
    }

    static byte[] seal(String kind, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        byte[] head = head(kind, bytes).getBytes(StandardCharsets.UTF_8);
        byte[] sealed = Arrays.copyOf(head, head.length + bytes.length);
        System.arraycopy(bytes, 0, sealed, head.length, bytes.length);
        return sealed;
    }

    static String open(String kind, byte[] sealed) throws DamageException {
        int end = 0;
        while (end < sealed.length && end < LINE_MAX && sealed[end] != '\n') {
            end++;
        }
        byte[] body = Arrays.copyOfRange(sealed, Math.min(end + 1, sealed.length), sealed.length);
        byte[] expected = head(kind, body).getBytes(StandardCharsets.UTF_8);
        if (!Arrays.equals(sealed, 0, Math.min(end + 1, sealed.length), expected, 0, expected.length)) {
            throw new DamageException("found a content that does not have the checksum of its first line; expected what"
                    + " was written as `" + FORM + kind + "`");
        }
        return new String(body, StandardCharsets.UTF_8);
    }

    private static String head(String kind, byte[] body) {
        return FORM + kind + " " + HexFormat.of().formatHex(sha256(body)) + "\n";
    }

    static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }
}
