package io.servery.supervisor.process;

import io.servery.supervisor.posix.Posix;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/// The processors on which a thread may run, and whatever it starts: sched_setaffinity(2). Immutable.
///
/// Where the kernel does not tell or refuses, all stays as it is.
public final class Affinity {
    /// None that is known: to bind to it changes nothing.
    public static final Affinity UNKNOWN = new Affinity(new BitSet());

    private static final Posix SCHED_SETAFFINITY = Posix.systemCall("sched_setaffinity", 203, 122);
    private static final Posix SCHED_GETAFFINITY = Posix.systemCall("sched_getaffinity", 204, 123);
    private static final Path TOPOLOGY = Path.of("/sys/devices/system/cpu");
    /// Room for 8192 processors, the most that Linux is built for.
    private static final int MASK_BYTES = 1024;
    private static final long CALLING = 0;
    private static final String EVERYWHERE = "all";

    private final BitSet processors;

    private Affinity(BitSet processors) {
        this.processors = processors;
    }

    /// That of a thread, by the number that the kernel has for it.
    public static Affinity of(long thread) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(MASK_BYTES, Long.BYTES);
            return SCHED_GETAFFINITY.tryCall(thread, MASK_BYTES, mask.address()) > 0
                    ? new Affinity(BitSet.valueOf(mask.asByteBuffer()))
                    : UNKNOWN;
        }
    }

    /// That of the calling thread.
    public static Affinity ofThisThread() {
        return of(CALLING);
    }

    /// What gives the calling thread back what it may have: every processor where nobody but the cpuset limits it, so that it
    /// goes on to follow that; else what somebody had chosen (taskset(1)).
    public static Affinity givenToThisThread() {
        Affinity allowed = ofThisThread();
        BitSet all = new BitSet();
        all.set(0, MASK_BYTES * Byte.SIZE);
        Affinity everywhere = new Affinity(all);
        everywhere.bind(CALLING);
        boolean unlimited = ofThisThread().equals(allowed);
        allowed.bind(CALLING);
        return unlimited ? everywhere : allowed;
    }

    /// Half of these, one at least: the last ones, because interrupts come to the first. Hardware threads of one core are of the same half,
    /// where there are cores enough.
    public Affinity half() {
        Map<String, BitSet> cores = new LinkedHashMap<>();
        for (int cpu = processors.length() - 1; cpu >= 0; cpu = processors.previousSetBit(cpu - 1)) {
            cores.computeIfAbsent(core(cpu), _ -> new BitSet()).set(cpu);
        }
        BitSet half = new BitSet();
        int wanted = Math.max(1, processors.cardinality() / 2);
        for (BitSet core : cores.values()) {
            for (int cpu = core.nextSetBit(0); cpu >= 0
                    && half.cardinality() < wanted; cpu = core.nextSetBit(cpu + 1)) {
                half.set(cpu);
            }
        }
        return new Affinity(half);
    }

    /// What names the core of a processor; each is its own where the kernel does not tell.
    private static String core(int cpu) {
        try {
            return Files.readString(TOPOLOGY.resolve("cpu" + cpu + "/topology/thread_siblings_list"));
        } catch (IOException untold) {
            return Integer.toString(cpu);
        }
    }

    /// From now on that thread runs on these.
    public void bind(long thread) {
        if (processors.isEmpty()) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(MASK_BYTES, Long.BYTES);
            memory.asByteBuffer().put(processors.toByteArray());
            SCHED_SETAFFINITY.tryCall(thread, MASK_BYTES, memory.address());
        }
    }

    /// From now on the calling thread runs on these.
    public void bindThisThread() {
        bind(CALLING);
    }

    /// As [#parse] takes it.
    public String text() {
        return processors.cardinality() == MASK_BYTES * Byte.SIZE
                ? EVERYWHERE
                : HexFormat.of().formatHex(processors.toByteArray());
    }

    /// Reads it back.
    ///
    /// @param text of [#text]
    /// @throws IllegalArgumentException when it is none
    public static Affinity parse(String text) {
        BitSet processors = new BitSet();
        if (text.equals(EVERYWHERE)) {
            processors.set(0, MASK_BYTES * Byte.SIZE);
        } else {
            processors = BitSet.valueOf(HexFormat.of().parseHex(text));
        }
        return new Affinity(processors);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Affinity affinity && affinity.processors.equals(processors);
    }

    @Override
    public int hashCode() {
        return processors.hashCode();
    }

    @Override
    public String toString() {
        return processors.toString();
    }
}
