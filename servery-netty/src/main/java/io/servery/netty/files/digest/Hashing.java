package io.servery.netty.files.digest;

import io.servery.http.exchange.AcquiredFile;
import io.servery.http.exchange.BodySource;
import io.servery.http.semantics.DigestAlgorithm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.function.BooleanSupplier;

/// Hashes content in chunks, from the descriptors that it will be sent from.
///
/// *Owner*: the thread that calls it, which it keeps for as long as the bytes take: the compute lane, or for small content in
/// memory any lane. *Invariant*: a digest is given only when every file is unchanged after its last byte was read.
public final class Hashing {
    /// How much of a file is in memory at once.
    public static final int CHUNK_BYTES = 64 * 1024;

    private final MessageDigest digest;
    private final BooleanSupplier stopped;

    private Hashing(DigestAlgorithm algorithm, BooleanSupplier stopped) {
        this.digest = start(algorithm);
        this.stopped = stopped;
    }

    /// The digest of these bytes.
    public static byte[] of(DigestAlgorithm algorithm, byte[] content) {
        return of(algorithm, content, content.length);
    }

    /// The digest of the first bytes of this array.
    public static byte[] of(DigestAlgorithm algorithm, byte[] content, int length) {
        MessageDigest digest = start(algorithm);
        digest.update(content, 0, length);
        return digest.digest();
    }

    /// The digest of these parts, one after another.
    ///
    /// @param stopped asked before each chunk of a file whether to leave off
    public static Hashed of(DigestAlgorithm algorithm, List<BodySource.Part> parts, BooleanSupplier stopped) {
        return new Hashing(algorithm, stopped).hash(parts);
    }

    private Hashed hash(List<BodySource.Part> parts) {
        try {
            for (BodySource.Part part : parts) {
                switch (part) {
                    case BodySource.Part.Chunk(byte[] bytes) -> digest.update(bytes);
                    case BodySource.Part.FilePart(AcquiredFile file, long offset, long length) -> {
                        if (!read(file, offset, length)) {
                            return Hashed.Without.STOPPED;
                        }
                    }
                }
            }
        } catch (ShortFileException e) {
            return Hashed.Without.CHANGED;
        } catch (IOException e) {
            return Hashed.Without.UNREADABLE;
        }
        return unchanged(parts) ? new Hashed.Digest(digest.digest()) : Hashed.Without.CHANGED;
    }

    /// Adds a part of a file.
    ///
    /// @return false when it is not to go on
    private boolean read(AcquiredFile file, long offset, long length) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocate((int) Math.min(CHUNK_BYTES, length));
        long end = offset + length;
        for (long at = offset; at < end; at += chunk.limit()) {
            if (stopped.getAsBoolean()) {
                return false;
            }
            chunk.clear().limit((int) Math.min(chunk.capacity(), end - at));
            if (file.channel().read(chunk, at) <= 0) {
                throw new ShortFileException();
            }
            digest.update(chunk.flip());
        }
        return true;
    }

    private static boolean unchanged(List<BodySource.Part> parts) {
        for (BodySource.Part part : parts) {
            if (part instanceof BodySource.Part.FilePart whole && !whole.file().unchanged()) {
                return false;
            }
        }
        return true;
    }

    private static MessageDigest start(DigestAlgorithm algorithm) {
        try {
            return MessageDigest.getInstance(switch (algorithm) {
                case SHA_256 -> "SHA-256";
                case SHA_512 -> "SHA-512";
            });
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(algorithm.key() + ": expected in every JDK", e);
        }
    }

    /// The file ended before its size.
    private static final class ShortFileException extends IOException {
        private static final long serialVersionUID = 1;
    }
}
