package io.servery.core.metric;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/// What the operating system and the JVM say about one process at one moment. A value that the host does not tell is
/// empty, and then not exposed.
public record ProcessSample(ProcessRole role, int slot, OperatingSystem system, Jvm jvm) {
    /// The operating system's view of the process.
    public record OperatingSystem(OptionalDouble cpuSeconds, OptionalDouble startTimeSeconds, OptionalLong openFds,
            OptionalLong maxFds, OptionalLong virtualBytes, OptionalLong residentBytes) {
    }

    /// The JVM's view of itself. `nettyDirectBytes` is empty where Netty does not count its direct memory.
    public record Jvm(List<MemoryArea> memory, List<BufferPool> bufferPools, List<Collector> collectors, int threads,
            OptionalLong nettyDirectBytes) {
        public Jvm {
            memory = List.copyOf(memory);
            bufferPools = List.copyOf(bufferPools);
            collectors = List.copyOf(collectors);
        }
    }

    /// Heap or not; `maxBytes` is -1 without a limit.
    public record MemoryArea(String area, long usedBytes, long committedBytes, long maxBytes) {
    }

    /// A pool of buffers outside the heap, by the JVM's name for it.
    public record BufferPool(String pool, long usedBytes, long buffers) {
    }

    /// A garbage collector, by the JVM's name for it.
    public record Collector(String collector, long collections, double seconds) {
    }
}
