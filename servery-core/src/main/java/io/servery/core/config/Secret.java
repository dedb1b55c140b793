package io.servery.core.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/// A secret that a reference led to. It never prints its value.
///
/// *Invariant*: not empty.
public final class Secret {
    private final String value;
    private final Reference reference;

    public Secret(String value, Reference reference) {
        this.value = value;
        this.reference = reference;
    }

    /// Where the value was read from.
    public sealed interface Reference {
        /// A file; one trailing newline does not count.
        record InFile(String path) implements Reference {
        }

        /// An environment variable.
        record InEnvironment(String name) implements Reference {
        }
    }

    public Reference reference() {
        return reference;
    }

    /// The value itself: for the one place that must compare or use it.
    public String reveal() {
        return value;
    }

    /// Whether the presented bytes are the secret, in a time that does not depend on where they differ.
    public boolean matches(byte[] presented) {
        return MessageDigest.isEqual(value.getBytes(StandardCharsets.UTF_8), presented);
    }

    /// Two secrets are equal when they hold the same value.
    @Override
    public boolean equals(Object other) {
        return other instanceof Secret that && matches(that.value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public int hashCode() {
        return reference.hashCode();
    }

    @Override
    public String toString() {
        return "<redacted>";
    }
}
