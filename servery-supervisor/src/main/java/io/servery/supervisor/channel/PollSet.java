package io.servery.supervisor.channel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// The array of poll(2), kept from one wait to the next: what is waited for is nearly always the same, and native memory is
/// written where it is not. The thread that owns it runs code that is seldom compiled, for which a write is many calls.
///
/// *Owner*: the thread of its [Poller].
final class PollSet {
    // struct pollfd: descriptor, events, revents.
    private static final int BYTES = 8;
    private static final int EVENTS = 4;
    private static final int FOUND = 6;

    private final long address;
    private final ByteBuffer entries;
    private final int[] descriptors;
    private final short[] events;

    /// Room for so many, in the memory of the arena.
    PollSet(Arena arena, int room) {
        MemorySegment memory = arena.allocate((long) BYTES * room, Integer.BYTES);
        address = memory.address();
        entries = memory.asByteBuffer().order(ByteOrder.nativeOrder());
        descriptors = new int[room];
        events = new short[room];
    }

    int room() {
        return descriptors.length;
    }

    long address() {
        return address;
    }

    void set(int at, int descriptor, short wanted) {
        if (descriptors[at] != descriptor || events[at] != wanted) {
            descriptors[at] = descriptor;
            events[at] = wanted;
            entries.putInt(at * BYTES, descriptor);
            entries.putShort(at * BYTES + EVENTS, wanted);
        }
    }

    /// What the last wait found.
    short found(int at) {
        return entries.getShort(at * BYTES + FOUND);
    }
}
