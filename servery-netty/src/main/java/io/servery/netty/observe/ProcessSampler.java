package io.servery.netty.observe;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import io.servery.core.metric.ProcessRole;
import io.servery.core.metric.ProcessSample;
import io.servery.core.metric.ProcessSample.BufferPool;
import io.servery.core.metric.ProcessSample.Collector;
import io.servery.core.metric.ProcessSample.Jvm;
import io.servery.core.metric.ProcessSample.MemoryArea;
import io.servery.core.metric.ProcessSample.OperatingSystem;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/// Reads what the operating system and the JVM say about this process.
///
/// *Owner*: any thread but an event loop, because it reads files of `/proc` and walks the open descriptors.
public final class ProcessSampler {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLIS_PER_SECOND = 1e3;

    private final ProcessRole role;
    private final int slot;
    private final LongSupplier nettyDirectBytes;

    /// @param nettyDirectBytes the direct memory that Netty has reserved, or -1 where it does not count
    public ProcessSampler(ProcessRole role, int slot, LongSupplier nettyDirectBytes) {
        this.role = role;
        this.slot = slot;
        this.nettyDirectBytes = nettyDirectBytes;
    }

    /// The process as it is now.
    public ProcessSample sample() {
        return new ProcessSample(role, slot, system(), jvm());
    }

    private static OperatingSystem system() {
        OptionalDouble cpuSeconds = OptionalDouble.empty();
        OptionalLong openFds = OptionalLong.empty();
        OptionalLong maxFds = OptionalLong.empty();
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
            long nanos = system.getProcessCpuTime();
            cpuSeconds = nanos < 0 ? OptionalDouble.empty() : OptionalDouble.of(nanos / NANOS_PER_SECOND);
            if (system instanceof UnixOperatingSystemMXBean unix) {
                openFds = known(unix.getOpenFileDescriptorCount());
                maxFds = known(unix.getMaxFileDescriptorCount());
            }
        }
        ProcessStatus status = ProcessStatus.read();
        return new OperatingSystem(cpuSeconds, OptionalDouble.of(startTimeSeconds()), openFds, maxFds,
                status.virtualBytes(), status.residentBytes());
    }

    private Jvm jvm() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        return new Jvm(
                List.of(area("heap", memory.getHeapMemoryUsage()), area("nonheap", memory.getNonHeapMemoryUsage())),
                bufferPools(), collectors(), ManagementFactory.getThreadMXBean().getThreadCount(),
                known(nettyDirectBytes.getAsLong()));
    }

    private static MemoryArea area(String name, MemoryUsage usage) {
        return new MemoryArea(name, usage.getUsed(), usage.getCommitted(), usage.getMax());
    }

    private static List<BufferPool> bufferPools() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)
                .stream()
                .map(pool -> new BufferPool(pool.getName(), pool.getMemoryUsed(), pool.getCount()))
                .toList();
    }

    private static List<Collector> collectors() {
        return ManagementFactory.getGarbageCollectorMXBeans()
                .stream()
                .map(gc -> new Collector(gc.getName(), Math.max(0, gc.getCollectionCount()),
                        Math.max(0, gc.getCollectionTime()) / MILLIS_PER_SECOND))
                .toList();
    }

    /// When the kernel started the process, which a replacement of its program by execv leaves as it is.
    private static double startTimeSeconds() {
        return ProcessHandle.current()
                .info()
                .startInstant()
                .map(start -> start.toEpochMilli() / MILLIS_PER_SECOND)
                .orElseGet(() -> ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS_PER_SECOND);
    }

    private static OptionalLong known(long value) {
        return value < 0 ? OptionalLong.empty() : OptionalLong.of(value);
    }
}
