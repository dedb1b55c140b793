package io.servery.netty.files;

import io.servery.http.exchange.AcquiredFile;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// What came of compressing a file: a form of it, or that it would be no smaller.
///
/// It is held by the work that made it, by the cache, and, where it is not small, by each answer that is being sent from it;
/// the last of them gives back what it takes. A small one that the cache let go of is counted no more while it is sent: one
/// part of an answer, as much as any connection may have waiting.
///
/// *Owner*: any thread.
final class CompressedForm {
    private final Content content;
    private final long bytes;
    private final Runnable giveBack;
    /// What every answer is made of; null where that is the plain source.
    private final @Nullable FileSource source;
    private final Holders holders = new Holders();

    /// @param bytes what it counts for
    /// @param giveBack called once, when nobody holds it any more
    CompressedForm(Content content, long bytes, Runnable giveBack) {
        this.content = content;
        this.bytes = bytes;
        this.giveBack = giveBack;
        this.source = switch (content) {
            case Content.NoSmaller _ -> null;
            case Content.Small(MemoryFile file) -> file;
            case Content.Open(ReadyHeads heads, AcquiredFile file) -> new DiskFile(heads, new Held(file, this));
            case Content.Large(ReadyHeads heads, byte[] large) -> new HeldBytes(heads, large, this::letGo);
        };
    }

    /// Where its bytes are.
    sealed interface Content {
        /// Compressing makes the file no smaller.
        record NoSmaller() implements Content {
        }

        /// In memory, at most one part of an answer.
        record Small(MemoryFile file) implements Content {
        }

        /// In a file without a name.
        record Open(ReadyHeads heads, AcquiredFile file) implements Content {
        }

        /// In memory for want of such a file.
        record Large(ReadyHeads heads, byte[] content) implements Content {
        }
    }

    /// What it counts for.
    long bytes() {
        return bytes;
    }

    /// What answers one request in the place of the plain source, which is used up then; that itself where the form is no
    /// smaller; null, and nothing is used up, when this was let go of.
    @Nullable
    FileSource take(FileSource plain) {
        if (source == null) {
            return plain;
        }
        if (!(source instanceof MemoryFile) && !hold()) {
            return null;
        }
        try {
            plain.unused();
        } catch (UncheckedIOException e) {
            // A file system that is gone. The descriptor is free all the same, and the form is whole.
        }
        return source;
    }

    /// Becomes one more holder; false when the last one is gone already.
    boolean hold() {
        return holders.join();
    }

    /// Holds it no longer.
    void letGo() {
        if (holders.leave()) {
            try {
                if (content instanceof Content.Open(ReadyHeads _, AcquiredFile file)) {
                    file.close();
                }
            } catch (UncheckedIOException e) {
                // It is memory: nothing was to be written, and the descriptor is free all the same.
            } finally {
                giveBack.run();
            }
        }
    }

    /// The file as an answer has it, which leaves it where it would close it.
    private record Held(AcquiredFile file, CompressedForm form) implements AcquiredFile {
        @Override
        public FileChannel channel() {
            return file.channel();
        }

        @Override
        public boolean unchanged() {
            return file.unchanged();
        }

        @Override
        public long inMemory(long position, long count) {
            return file.inMemory(position, count);
        }

        @Override
        public boolean bringIn(long position, long count, Runnable then) {
            return file.bringIn(position, count, then);
        }

        @Override
        public void close() {
            form.letGo();
        }
    }
}
