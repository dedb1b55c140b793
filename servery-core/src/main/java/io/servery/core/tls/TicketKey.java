package io.servery.core.tls;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;

/// A key of session tickets (RFC 5077 §4): a name of 16 bytes, a key of 16 for the seal, a key of 16 for the cipher.
public final class TicketKey {
    public static final int BYTES = 48;
    private static final int PART = 16;

    private final byte[] bytes;

    /// The key whose bytes another process gave.
    ///
    /// @throws IllegalArgumentException when they are not `BYTES` long
    public TicketKey(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("found " + bytes.length + " bytes; expected " + BYTES);
        }
        this.bytes = bytes.clone();
    }

    static TicketKey random(SecureRandom random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return new TicketKey(bytes);
    }

    /// All of it, for another process.
    public byte[] bytes() {
        return bytes.clone();
    }

    /// What a ticket says which key it is sealed with; no secret.
    public byte[] name() {
        return Arrays.copyOfRange(bytes, 0, PART);
    }

    public byte[] sealKey() {
        return Arrays.copyOfRange(bytes, PART, 2 * PART);
    }

    public byte[] cipherKey() {
        return Arrays.copyOfRange(bytes, 2 * PART, BYTES);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TicketKey that && MessageDigest.isEqual(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(name());
    }

    @Override
    public String toString() {
        return "<redacted>";
    }
}
