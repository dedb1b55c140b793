package io.servery.netty.files;

import io.servery.http.exchange.AcquiredFile;
import io.servery.http.semantics.ContentCoding;
import io.servery.netty.files.coding.ContentEncoder.Encoded;
import io.servery.netty.files.open.AnonymousFiles;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Where compressed forms are, and how much they take: those that are being made, that the cache keeps, and that are being
/// sent, all together within bounds, however slowly peers read.
///
/// A form of more than one part of an answer is a file without a name ([AnonymousFiles]): on the heap it would come to lie
/// among what lives long, where the collector looks when the heap is at its bound only. Here it is gone when its last reader
/// is. Where the kernel gives no such file, or there are as many as there may be, it is on the heap, within a bound of that.
///
/// Not counted: the arrays of a thread that compresses, and what the encoder itself takes, which its threads bound; a small
/// form that is being sent and not kept.
///
/// *Owner*: any thread.
final class FormRoom {
    /// How many forms have a descriptor. Every process may have 1024 at least: as many are for files that stay open
    /// ([KeptFiles]), and half is for connections.
    static final int DESCRIPTORS_MAX = 256;
    /// Objects and the key beside the bytes that are counted.
    private static final int OVERHEAD_BYTES = 3_072;
    /// What the kernel has of a file beside its pages.
    private static final int FILE_BYTES = 2_048;
    private static final int PAGE_BYTES = 4_096;

    private final AnonymousFiles files;
    private final Allowance all;
    private final Allowance heap;
    private final Allowance descriptors = new Allowance(DESCRIPTORS_MAX);
    /// What the kernel said last. As long as it refuses nobody is to wait for the lane where the heap has no room, either; where that has
    /// some it is asked again each time.
    private volatile boolean refusesFiles;

    FormRoom(AnonymousFiles files, FileSite.FormLimits limits) {
        this.files = files;
        this.all = new Allowance(limits.bytes());
        this.heap = new Allowance(limits.heapBytes());
    }

    /// Whether there was room for a form of so many plain bytes just now, wherever it would be.
    boolean has(long plainBytes) {
        boolean place = plainBytes <= BytesInParts.PART_BYTES || descriptors.has(1) && !refusesFiles
                || heap.has(reserved(plainBytes));
        return place && all.has(reserved(plainBytes));
    }

    /// Reserves the most that a form of so many plain bytes can take; false when there is not so much.
    boolean reserve(long plainBytes) {
        return all.take(reserved(plainBytes));
    }

    /// Gives a reservation back of which nothing came.
    void cancel(long plainBytes) {
        all.giveBack(reserved(plainBytes));
    }

    private static long reserved(long plainBytes) {
        return OVERHEAD_BYTES + fileBytes(plainBytes);
    }

    private static long fileBytes(long length) {
        return Math.ceilDiv(length, PAGE_BYTES) * PAGE_BYTES + FILE_BYTES;
    }

    /// The form of these bytes, held by whoever asked, in the place of the reservation; null, and the reservation stays, when
    /// there is no room for it.
    ///
    /// @param coded null when compressing makes it no smaller
    @Nullable
    CompressedForm form(Representation plain, ContentCoding coding, @Nullable Encoded coded) {
        if (coded == null) {
            return onHeap(plain, new CompressedForm.Content.NoSmaller(), OVERHEAD_BYTES);
        }
        Representation representation = plain.compressed(coding, coded.length());
        if (coded.length() <= BytesInParts.PART_BYTES) {
            MemoryFile small = new MemoryFile(representation, content(coded));
            return onHeap(plain, new CompressedForm.Content.Small(small), OVERHEAD_BYTES + small.bytesHeld());
        }
        ReadyHeads heads = ReadyHeads.of(plain.digests()
                ? representation.digested(coded.bytes(), coded.length())
                : representation);
        CompressedForm open = inFile(plain, heads, coded);
        return open == null
                ? onHeap(plain, new CompressedForm.Content.Large(heads, content(coded)),
                        OVERHEAD_BYTES + heads.bytes() + coded.length())
                : open;
    }

    private @Nullable CompressedForm inFile(Representation plain, ReadyHeads heads, Encoded coded) {
        if (!descriptors.take(1)) {
            return null;
        }
        CompressedForm form = null;
        try {
            AcquiredFile file = files.of(coded.bytes(), coded.length());
            refusesFiles = file == null;
            if (file != null) {
                form = inFile(plain, new CompressedForm.Content.Open(heads, file),
                        OVERHEAD_BYTES + heads.bytes() + fileBytes(coded.length()));
            }
        } finally {
            if (form == null) {
                descriptors.giveBack(1);
            }
        }
        return form;
    }

    private @Nullable CompressedForm inFile(Representation plain, CompressedForm.Content.Open open, long bytes) {
        if (!settle(plain, bytes)) {
            open.file().close();
            return null;
        }
        return new CompressedForm(open, bytes, () -> {
            all.giveBack(bytes);
            descriptors.giveBack(1);
        });
    }

    private @Nullable CompressedForm onHeap(Representation plain, CompressedForm.Content content, long bytes) {
        if (!heap.take(bytes)) {
            return null;
        }
        if (!settle(plain, bytes)) {
            heap.giveBack(bytes);
            return null;
        }
        return new CompressedForm(content, bytes, () -> {
            all.giveBack(bytes);
            heap.giveBack(bytes);
        });
    }

    /// Counts these bytes in the place of what was reserved.
    private boolean settle(Representation plain, long bytes) {
        long more = bytes - reserved(plain.size());
        if (more > 0) {
            return all.take(more);
        }
        all.giveBack(-more);
        return true;
    }

    private static byte[] content(Encoded coded) {
        return Arrays.copyOf(coded.bytes(), coded.length());
    }

    /// What forms take now.
    long bytes() {
        return all.taken();
    }

    /// What those on the heap take now.
    long heapBytes() {
        return heap.taken();
    }

    /// How many have a descriptor.
    long descriptors() {
        return descriptors.taken();
    }
}
