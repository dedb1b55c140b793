package io.servery.supervisor.host;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.servery.supervisor.posix.Posix;
import io.servery.supervisor.posix.PosixException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// What root may do, divided: capabilities(7). All of it is a matter of the calling thread.
final class Capabilities {
    private static final Posix PRCTL = Posix.function("prctl");
    private static final Posix CAPGET = Posix.function("capget");
    private static final Posix CAPSET = Posix.function("capset");

    private static final long PR_SET_KEEPCAPS = 8;
    private static final long PR_CAPBSET_DROP = 24;
    /// More than any kernel knows; the first that it does not ends the walk.
    private static final int NUMBERS_MAX = 64;
    private static final int NET_BIND_SERVICE = 1 << 10;

    // struct __user_cap_header_struct of version 3, and two of struct __user_cap_data_struct.
    private static final int VERSION_3 = 0x20080522;
    private static final long HEADER_BYTES = 8;
    private static final long DATA_BYTES = 24;
    private static final long EFFECTIVE = 0;
    private static final long PERMITTED = 4;

    private Capabilities() {
    }

    /// Nothing that is executed from now on by this thread gains a capability. Needs root; what a container took from root
    /// already cannot be taken again.
    static void emptyBoundingSet() {
        for (int number = 0; number < NUMBERS_MAX; number++) {
            PRCTL.tryCall(PR_CAPBSET_DROP, number, 0, 0, 0);
        }
    }

    /// Keeps what is permitted over the next setuid(2) of this thread.
    static void keepOverSetuid() throws PosixException {
        PRCTL.call(PR_SET_KEEPCAPS, 1, 0, 0, 0);
    }

    /// Leaves this thread CAP_NET_BIND_SERVICE, if it had that, and nothing else; no program that it executes has any.
    static void keepBindingAlone() throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment header = arena.allocate(HEADER_BYTES, Integer.BYTES);
            MemorySegment data = arena.allocate(DATA_BYTES, Integer.BYTES);
            header.set(JAVA_INT, 0, VERSION_3);
            CAPGET.call(header.address(), data.address());
            int kept = data.get(JAVA_INT, PERMITTED) & NET_BIND_SERVICE;
            data.fill((byte) 0);
            data.set(JAVA_INT, EFFECTIVE, kept);
            data.set(JAVA_INT, PERMITTED, kept);
            CAPSET.call(header.address(), data.address());
        }
    }
}
