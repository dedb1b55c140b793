package io.servery.netty.start;

import java.util.ArrayList;
import java.util.List;

/// The JVM flags for serving (docs/adr/0003): ours first, then the user's, so that where both set one thing the user's
/// counts. Leaks of buffers are looked for by the tests, not by sampling stack traces in production. What cannot be given
/// twice, the collector and the heap's size, is left out where the user decided it.
final class ServingFlags {
    /// Below one of these, one thread collects a heap of this size as fast as many, without their memory.
    private static final int PARALLEL_PROCESSORS_MIN = 4;
    private static final long PARALLEL_HEAP_BYTES_MIN = 2L << 30;

    private static final List<String> ALWAYS = List.of("--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow", "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "-Dio.netty.tryReflectionSetAccessible=true", "-Dio.netty.leakDetection.level=disabled",
            "-XX:+UseCompactObjectHeaders", "-XX:+ExitOnOutOfMemoryError",
            "-XX:-CreateCoredumpOnCrash", "-XX:+ErrorFileToStderr");
    /// A later Java may have dropped one of ours. A misspelt flag of the user's ended the first JVM already.
    private static final String TOLERANT = "-XX:+IgnoreUnrecognizedVMOptions";
    private static final String INITIAL_HEAP = "-Xms32m";

    private ServingFlags() {
    }

    /// What the machine and the JVM's own defaults offer: processors, and the largest heap in bytes.
    record Capacity(int processors, long heapBytesMax) {
        boolean worthParallelCollection() {
            return processors >= PARALLEL_PROCESSORS_MIN && heapBytesMax >= PARALLEL_HEAP_BYTES_MIN;
        }
    }

    static List<String> of(Capacity capacity, List<String> given) {
        List<String> flags = new ArrayList<>(ALWAYS);
        flags.add(TOLERANT);
        if (given.stream().noneMatch(ServingFlags::choosesCollector)) {
            flags.add(capacity.worthParallelCollection() ? "-XX:+UseG1GC" : "-XX:+UseSerialGC");
        }
        if (given.stream().noneMatch(ServingFlags::sizesHeap)) {
            flags.add(INITIAL_HEAP);
        }
        flags.addAll(given);
        return flags;
    }

    private static boolean choosesCollector(String flag) {
        return flag.matches("-XX:[+-]Use\\w+GC");
    }

    private static boolean sizesHeap(String flag) {
        return flag.startsWith("-Xms") || flag.startsWith("-Xmx")
                || flag.matches("-XX:(Initial|Max|Min|SoftMax)(Heap|RAM)\\w*=.*");
    }

    /// A debugger or profiler that came with this JVM: it would be lost, or its port taken, in a replacement.
    static boolean loadsAgent(String flag) {
        return flag.startsWith("-agent") || flag.startsWith("-javaagent") || flag.startsWith("-Xrun");
    }
}
