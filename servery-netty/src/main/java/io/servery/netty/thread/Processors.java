package io.servery.netty.thread;

import io.servery.supervisor.posix.Posix;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/// The processors of this process while it starts beside others that serve: half of those it may use, one at least. On what is
/// left nothing of a start runs, so that whoever serves has where to run at once; the kernel finds such a processor by itself.
/// Hardware threads of one core are of the same half, where there are cores enough.
///
/// sched_setaffinity(2) on each thread, and so on what each of those starts; on a host with one processor, or where the kernel
/// refuses, all stays as it is. `Runtime.availableProcessors` would tell the half: a worker is told the whole number by a flag.
///
/// *Owner*: the thread that starts the process, then the one that ends the start.
public final class Processors {
    private static final Posix SCHED_SETAFFINITY = Posix.systemCall("sched_setaffinity", 203, 122);
    private static final Posix SCHED_GETAFFINITY = Posix.systemCall("sched_getaffinity", 204, 123);
    private static final Path TOPOLOGY = Path.of("/sys/devices/system/cpu");
    /// Room for 8192 processors, the most that Linux is built for.
    private static final int MASK_BYTES = 1024;
    /// A thread may start another while it is released: so often they are looked through again.
    private static final int PASSES_MAX = 5;

    /// What threads are given back.
    private final byte[] whole;
    private final byte[] half;

    private Processors(byte[] whole, byte[] half) {
        this.whole = whole;
        this.half = half;
    }

    /// From now on all threads of this process run on half of the processors.
    public static Processors half() {
        byte[] allowed = maskOf(Threads.CALLING);
        byte[] half = half(BitSet.valueOf(allowed));
        Processors processors = new Processors(given(allowed), half);
        if (!Arrays.equals(half, allowed)) {
            processors.move(_ -> true, mask -> Arrays.equals(mask, allowed), half);
        }
        return processors;
    }

    /// What brings back what was there: all bits where nobody but the cpuset had limited this process, so that it goes on to
    /// follow that; else what somebody had chosen (taskset(1)). Found out by the calling thread, which has what it had afterwards.
    private static byte[] given(byte[] allowed) {
        byte[] all = new byte[MASK_BYTES];
        Arrays.fill(all, (byte) -1);
        bind(Threads.CALLING, all);
        boolean unlimited = Arrays.equals(maskOf(Threads.CALLING), allowed);
        bind(Threads.CALLING, allowed);
        return unlimited ? all : allowed;
    }

    /// The last ones: interrupts come to the first, and so does whoever serves.
    private static byte[] half(BitSet allowed) {
        Map<String, BitSet> cores = new LinkedHashMap<>();
        for (int cpu = allowed.length() - 1; cpu >= 0; cpu = allowed.previousSetBit(cpu - 1)) {
            cores.computeIfAbsent(core(cpu), _ -> new BitSet()).set(cpu);
        }
        BitSet half = new BitSet();
        int wanted = Math.max(1, allowed.cardinality() / 2);
        for (BitSet core : cores.values()) {
            for (int cpu = core.length() - 1; cpu >= 0
                    && half.cardinality() < wanted; cpu = core.previousSetBit(cpu - 1)) {
                half.set(cpu);
            }
        }
        return Arrays.copyOf(half.toByteArray(), MASK_BYTES);
    }

    /// What names the core of a processor; each is its own where the kernel does not tell.
    private static String core(int cpu) {
        try {
            return Files.readString(TOPOLOGY.resolve("cpu" + cpu + "/topology/thread_siblings_list"));
        } catch (IOException untold) {
            return Integer.toString(cpu);
        }
    }

    /// From now on the compilers run on half of the processors: what they do for a process that is about to end is hardly worth anything.
    public static void compilersOnHalf() {
        byte[] allowed = maskOf(Threads.CALLING);
        byte[] half = half(BitSet.valueOf(allowed));
        new Processors(allowed, half).move(Threads::isCompiler, mask -> Arrays.equals(mask, allowed), half);
    }

    /// All but the compilers run where they may again: those have work for some seconds yet.
    public void releaseServing() {
        move(thread -> !Threads.isCompiler(thread), this::isWithinHalf, whole);
    }

    /// All run where they may again.
    public void releaseAll() {
        move(_ -> true, this::isWithinHalf, whole);
    }

    /// Those that somebody else has moved meanwhile stay where they are.
    ///
    /// @param ours whether a thread that may run there is where it was put
    private void move(Predicate<String> threads, Predicate<byte[]> ours, byte[] to) {
        if (Arrays.equals(half, new byte[MASK_BYTES])) {
            return; // the kernel did not tell
        }
        for (int pass = 0; pass < PASSES_MAX; pass++) {
            int[] moved = new int[1];
            Threads.each(threads, thread -> {
                if (ours.test(maskOf(thread))) {
                    bind(thread, to);
                    moved[0]++;
                }
            });
            if (moved[0] == 0) {
                return;
            }
        }
    }

    /// The kernel may have taken some of them with the cpuset.
    private boolean isWithinHalf(byte[] mask) {
        for (int i = 0; i < MASK_BYTES; i++) {
            if ((mask[i] & ~half[i]) != 0) {
                return false;
            }
        }
        return true;
    }

    /// Where a thread may run, without a bit where the kernel does not tell.
    private static byte[] maskOf(long thread) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(MASK_BYTES, Long.BYTES);
            byte[] bytes = new byte[MASK_BYTES];
            if (SCHED_GETAFFINITY.tryCall(thread, MASK_BYTES, mask.address()) > 0) {
                mask.asByteBuffer().get(bytes);
            }
            return bytes;
        }
    }

    private static void bind(long thread, byte[] mask) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(MASK_BYTES, Long.BYTES);
            memory.asByteBuffer().put(mask);
            SCHED_SETAFFINITY.tryCall(thread, MASK_BYTES, memory.address());
        }
    }
}
