package io.servery.netty.files.digest;

/// What came of hashing.
public sealed interface Hashed {
    /// The digest of bytes that are still those of the opened file.
    record Digest(byte[] bytes) implements Hashed {
    }

    /// There is no digest.
    enum Without implements Hashed {
        /// A file is not what it was when it was opened.
        CHANGED,
        /// A file could not be read.
        UNREADABLE,
        /// Nobody was to go on.
        STOPPED,
        /// There was no room to begin.
        REFUSED
    }
}
