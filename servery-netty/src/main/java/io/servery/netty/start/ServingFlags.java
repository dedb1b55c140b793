package io.servery.netty.start;

import java.util.ArrayList;
import java.util.List;

/// The JVM flags for serving (docs/adr/0003). The user's come after them, so that where both set one thing the user's
/// counts. Leaks of buffers are looked for by the tests, not by sampling stack traces in production. What cannot be given
/// twice, the collector and the heap's size, is left out where the user decided it.
final class ServingFlags {
    /// Below one of these, one thread collects a heap of this size as fast as many, without their memory.
    private static final int PARALLEL_PROCESSORS_MIN = 4;
    private static final long PARALLEL_HEAP_BYTES_MIN = 2L << 30;

    static final List<String> ALWAYS = List.of("--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow", "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "-Dio.netty.tryReflectionSetAccessible=true", "-Dio.netty.leakDetection.level=disabled",
            "-Dio.netty.jfr.enabled=false",
            "-XX:+UseCompactObjectHeaders", "-XX:+ExitOnOutOfMemoryError", "-XX:-CreateCoredumpOnCrash",
            "-XX:+ErrorFileToStderr", "-XX:+DisplayVMOutputToStderr", "-XX:TrimNativeHeapInterval=30000",
            "-XX:-UseDynamicNumberOfCompilerThreads",
            "-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0");
    /// A later Java may have dropped one of ours. A misspelt flag of the user's ended the first JVM already.
    static final String TOLERANT = "-XX:+IgnoreUnrecognizedVMOptions";
    private static final String DIRECT_MEMORY = "-XX:MaxDirectMemorySize=";
    private static final long INITIAL_HEAP_KIB = 32L << 10;
    /// Of the serial collector: what a request allocates is garbage at its end, so little survives, and a third of the
    /// largest heap would only be touched for nothing.
    private static final String YOUNG = "-Xmn8m";

    private static final List<String> SIZING_HEAP = List.of("-Xms", "-Xmx", "-XX:InitialHeap", "-XX:InitialRAM",
            "-XX:MaxHeap", "-XX:MaxRAM", "-XX:MinHeap", "-XX:MinRAM", "-XX:SoftMaxHeap");
    private static final List<String> SIZING_YOUNG = List.of("-Xmn", "-XX:NewSize=", "-XX:MaxNewSize=",
            "-XX:NewRatio=");
    private static final List<String> LOADING_AGENTS = List.of("-agent", "-javaagent", "-Xrun");

    private ServingFlags() {
    }

    /// Processors, the largest heap, and what buffers outside of it may take; in bytes.
    record Capacity(int processors, long heapBytesMax, long directBytesMax) {
        boolean worthParallelCollection() {
            return processors >= PARALLEL_PROCESSORS_MIN && heapBytesMax >= PARALLEL_HEAP_BYTES_MIN;
        }
    }

    static List<String> of(Capacity capacity, List<String> given) {
        List<String> flags = new ArrayList<>(ALWAYS);
        flags.add(TOLERANT);
        boolean serial = !capacity.worthParallelCollection();
        boolean collectorIsOurs = !chooseCollector(given);
        if (collectorIsOurs) {
            flags.add(serial ? "-XX:+UseSerialGC" : "-XX:+UseG1GC");
        }
        if (!sizeHeap(given)) {
            flags.add("-Xms" + Math.min(INITIAL_HEAP_KIB, capacity.heapBytesMax() >> 10) + "k");
            flags.add("-Xmx" + (capacity.heapBytesMax() >> 10) + "k");
            if (!anyBegins(given, List.of(DIRECT_MEMORY))) {
                // Else it would be the heap's size, which says nothing of sockets.
                flags.add(DIRECT_MEMORY + (capacity.directBytesMax() >> 10) + "k");
            }
            if (serial && collectorIsOurs && !anyBegins(given, SIZING_YOUNG)) {
                flags.add(YOUNG);
            }
        }
        return flags;
    }

    /// Whether the user decided on the size of the heap.
    static boolean sizeHeap(List<String> given) {
        return anyBegins(given, SIZING_HEAP);
    }

    /// A debugger or profiler that came with this JVM: it would be lost, or its port taken, in a replacement.
    static boolean loadAgent(List<String> given) {
        return anyBegins(given, LOADING_AGENTS);
    }

    static boolean chooseCollector(List<String> given) {
        for (String flag : given) {
            if ((flag.startsWith("-XX:+Use") || flag.startsWith("-XX:-Use")) && flag.endsWith("GC")) {
                return true;
            }
        }
        return false;
    }

    private static boolean anyBegins(List<String> given, List<String> prefixes) {
        for (String flag : given) {
            for (String prefix : prefixes) {
                if (flag.startsWith(prefix)) {
                    return true;
                }
            }
        }
        return false;
    }
}
