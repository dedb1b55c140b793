package io.servery.netty.files.coding;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.encoder.Encoder;
import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.util.Native;
import io.servery.http.semantics.ContentCoding;
import io.servery.netty.natives.NativeFiles;
import io.servery.netty.natives.NativeLibrary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
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
    /// @throws LinkageError the first time that a native library cannot be loaded
    public static byte @Nullable [] encode(ContentCoding coding, byte[] plain) {
        return switch (coding) {
            case ZSTD -> zstd(plain);
            case BR -> brotli(plain);
            case GZIP -> gzip(plain);
        };
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

    private static byte @Nullable [] zstd(byte[] plain) {
        try {
            ZstdLibrary.load();
        } catch (LinkageError missing) {
            zstdMissing = true;
            throw missing;
        }
        byte[] room = new byte[Math.max(0, plain.length - 1)];
        long length = Zstd.compressByteArray(room, 0, room.length, plain, 0, plain.length, ZSTD_LEVEL);
        // No room in less than the plain bytes is the one error that it can find here.
        return Zstd.isError(length) ? null : java.util.Arrays.copyOf(room, (int) length);
    }

    private static byte @Nullable [] brotli(byte[] plain) {
        try {
            BrotliLibrary.load();
        } catch (LinkageError missing) {
            brotliMissing = true;
            throw missing;
        }
        try {
            return smaller(Encoder.compress(plain, Encoder.Parameters.create(BROTLI_QUALITY, BROTLI_WINDOW)), plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte @Nullable [] gzip(byte[] plain) {
        ByteArrayOutputStream coded = new ByteArrayOutputStream(plain.length / 2 + 32);
        try (GZIPOutputStream out = new GZIPOutputStream(coded)) {
            out.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return smaller(coded.toByteArray(), plain);
    }

    private static byte @Nullable [] smaller(byte[] coded, byte[] plain) {
        return coded.length < plain.length ? coded : null;
    }
}
