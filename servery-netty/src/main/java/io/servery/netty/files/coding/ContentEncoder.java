package io.servery.netty.files.coding;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.encoder.Encoder;
import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.util.Native;
import io.servery.http.semantics.ContentCoding;
import io.servery.netty.natives.NativeFiles;
import io.servery.netty.natives.NativeLibrary;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/// Encodes content in one piece. The same bytes give the same result in every process of one build on one Java.
///
/// *Owner*: the compute lane: it takes milliseconds a mebibyte, and the first use of a coding loads its native library.
/// A library that cannot be loaded (no room or no right to execute in the temporary directory) takes its coding away,
/// and nothing else.
public final class ContentEncoder {
    private static final int ZSTD_LEVEL = 6;
    private static final int BROTLI_QUALITY = 5;
    private static final int BROTLI_WINDOW = 22;

    private static volatile boolean zstdMissing;
    private static volatile boolean brotliMissing;

    private ContentEncoder() {
    }

    /// Whether the coding can be had, as far as is known.
    public static boolean available(ContentCoding coding) {
        return switch (coding) {
            case ZSTD -> !zstdMissing;
            case BR -> !brotliMissing;
            case GZIP -> true;
        };
    }

    /// What tells the results of this build from those of another: a part of strong validators.
    public static String recipe(ContentCoding coding) {
        return switch (coding) {
            case ZSTD -> "zstd-1.5.7-28-6";
            case BR -> "br-1.24.0-5";
            case GZIP -> "gzip-" + Integer.toHexString(Runtime.version().toString().hashCode());
        };
    }

    /// The encoded bytes; null when they would not be fewer.
    ///
    /// @param plain begins with the bytes
    /// @param room for the result, which may come to lie there: as many bytes at least
    /// @throws LinkageError the first time that a native library cannot be loaded
    public static @Nullable Encoded encode(ContentCoding coding, byte[] plain, int length, byte[] room) {
        return switch (coding) {
            case ZSTD -> zstd(plain, length, room);
            case BR -> brotli(plain, length);
            case GZIP -> gzip(plain, length, room);
        };
    }

    /// Encoded bytes.
    ///
    /// @param bytes begins with them
    public record Encoded(byte[] bytes, int length) {
    }

    /// Unpacked and loaded at the first use, once.
    private static final class ZstdLibrary {
        static {
            NativeFiles.load(NativeLibrary.ZSTD)
                    .ifPresent(file -> System.setProperty("ZstdNativePath", file.toString()));
        }

        private ZstdLibrary() {
        }

        static void load() {
            Native.load();
        }
    }

    /// Unpacked and loaded at the first use, once.
    private static final class BrotliLibrary {
        static {
            NativeFiles.load(NativeLibrary.BROTLI)
                    .ifPresent(file -> System.setProperty("brotli4j.library.path", file.toString()));
        }

        private BrotliLibrary() {
        }

        static void load() {
            Brotli4jLoader.ensureAvailability();
        }
    }

    private static @Nullable Encoded zstd(byte[] plain, int length, byte[] room) {
        try {
            ZstdLibrary.load();
        } catch (LinkageError missing) {
            zstdMissing = true;
            throw missing;
        }
        long coded = Zstd.compressByteArray(room, 0, Math.max(0, length - 1), plain, 0, length, ZSTD_LEVEL);
        // No room in less than the plain bytes is the one error that it can find here.
        return Zstd.isError(coded) ? null : new Encoded(room, (int) coded);
    }

    private static @Nullable Encoded brotli(byte[] plain, int length) {
        try {
            BrotliLibrary.load();
        } catch (LinkageError missing) {
            brotliMissing = true;
            throw missing;
        }
        try {
            byte[] coded = Encoder.compress(plain, 0, length,
                    Encoder.Parameters.create(BROTLI_QUALITY, BROTLI_WINDOW));
            return coded.length < length ? new Encoded(coded, coded.length) : null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static @Nullable Encoded gzip(byte[] plain, int length, byte[] room) {
        Into coded = new Into(room, length - 1);
        try (GZIPOutputStream out = new GZIPOutputStream(coded)) {
            out.write(plain, 0, length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return coded.overflown ? null : new Encoded(room, coded.count);
    }

    /// Writes to an array, and drops what goes past the most that is wanted.
    private static final class Into extends OutputStream {
        private final byte[] room;
        private final int most;
        private int count;
        private boolean overflown;

        Into(byte[] room, int most) {
            this.room = room;
            this.most = most;
        }

        @Override
        public void write(int b) {
            write(new byte[]{(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            overflown |= length > most - count;
            if (!overflown) {
                System.arraycopy(bytes, from, room, count, length);
                count += length;
            }
        }
    }
}
