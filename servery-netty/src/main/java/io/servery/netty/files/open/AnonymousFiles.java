package io.servery.netty.files.open;

import io.servery.http.exchange.AcquiredFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Makes files that are memory and have no name (`memfd_create(2)`): outside of the heap, sent as any file is, and gone with
/// their descriptor.
///
/// A file is written once and sealed: its bytes change no more, so that whether they did costs no system call.
///
/// *Owner*: any thread. Writing copies the bytes, and waits for nothing.
public final class AnonymousFiles {
    private static final byte[] NAME = "servery-form".getBytes(StandardCharsets.US_ASCII);

    private static final int MFD_CLOEXEC = 0x1;
    private static final int MFD_ALLOW_SEALING = 0x2;
    /// Never to be executed; Linux 6.3 knows it, and may be told to refuse files without it.
    private static final int MFD_NOEXEC_SEAL = 0x8;
    private static final int SEALED_FLAGS = MFD_CLOEXEC | MFD_ALLOW_SEALING;

    private static final int F_SEAL_SEAL = 0x1;
    private static final int F_SEAL_SHRINK = 0x2;
    private static final int F_SEAL_GROW = 0x4;
    private static final int F_SEAL_WRITE = 0x8;
    private static final int ALL_SEALS = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;

    private final Calls calls;

    AnonymousFiles(Calls calls) {
        this.calls = calls;
    }

    public static AnonymousFiles ofKernel() {
        return new AnonymousFiles(Calls.ofKernel());
    }

    /// A file of the first bytes of this array, which whoever asked closes; null when the kernel refuses it, for want of
    /// the call, the right, a descriptor or memory.
    public @Nullable AcquiredFile of(byte[] bytes, int length) {
        int descriptor = calls.memfd(NAME, SEALED_FLAGS | MFD_NOEXEC_SEAL);
        if (descriptor == -Errno.EINVAL) {
            descriptor = calls.memfd(NAME, SEALED_FLAGS);
        }
        if (descriptor < 0) {
            return null;
        }
        AcquiredFile file = null;
        try {
            if (filled(descriptor, bytes, length)) {
                file = new Sealed(DescriptorChannel.of(descriptor, calls));
            }
        } catch (IOException e) {
            return null;
        } finally {
            if (file == null) {
                calls.close(descriptor);
            }
        }
        return file;
    }

    private boolean filled(int descriptor, byte[] bytes, int length) {
        int written = 0;
        while (written < length) {
            int count = calls.write(descriptor, bytes, written, length - written);
            if (count <= 0) {
                return false;
            }
            written += count;
        }
        return calls.seal(descriptor, ALL_SEALS) >= 0;
    }

    private record Sealed(DescriptorChannel file) implements AcquiredFile {
        @Override
        public FileChannel channel() {
            return file.channel();
        }

        @Override
        public boolean unchanged() {
            return true;
        }

        @Override
        public long inMemory(long position, long count) {
            return count;
        }

        @Override
        public boolean bringIn(long position, long count, Runnable then) {
            throw new IllegalStateException("file: found none of it outside of memory");
        }

        @Override
        public void close() {
            try {
                file.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
