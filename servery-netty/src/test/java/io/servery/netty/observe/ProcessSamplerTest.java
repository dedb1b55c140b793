package io.servery.netty.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.metric.ProcessRole;
import io.servery.core.metric.ProcessSample;
import io.servery.core.metric.ProcessSample.BufferPool;
import io.servery.core.metric.ProcessSample.Jvm;
import io.servery.core.metric.ProcessSample.MemoryArea;
import io.servery.core.metric.ProcessSample.OperatingSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// What the sampler reads, against what can be known of this very process.
class ProcessSamplerTest {
    private final ProcessSampler sampler = new ProcessSampler(ProcessRole.WORKER, 3, () -> 4096);

    @Test
    void roleSlotAndNettyMemoryAreWhatTheCallerSays() {
        ProcessSample sample = sampler.sample();

        assertThat(sample.role()).isEqualTo(ProcessRole.WORKER);
        assertThat(sample.slot()).isEqualTo(3);
        assertThat(sample.jvm().nettyDirectBytes()).hasValue(4096);
        assertThat(new ProcessSampler(ProcessRole.WORKER, 0, () -> -1).sample().jvm().nettyDirectBytes()).isEmpty();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void operatingSystemTellsEverything() {
        OperatingSystem system = sampler.sample().system();

        assertThat(system.cpuSeconds().orElseThrow()).isPositive();
        assertThat(Duration.ofMillis(System.currentTimeMillis())
                .minusMillis((long) (system.startTimeSeconds().orElseThrow() * 1000)))
                .isBetween(Duration.ZERO, Duration.ofHours(6));
        assertThat(system.openFds().orElseThrow()).isBetween(3L, system.maxFds().orElseThrow());
        assertThat(system.residentBytes().orElseThrow()).isBetween(10L << 20, system.virtualBytes().orElseThrow());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void openDescriptorIsSeen() throws IOException {
        long before = sampler.sample().system().openFds().orElseThrow();
        try (var _ = Files.newByteChannel(Path.of("/dev/null")); var _ = Files.newByteChannel(Path.of("/dev/null"))) {
            assertThat(sampler.sample().system().openFds().orElseThrow()).isGreaterThanOrEqualTo(before + 2);
        }
    }

    @Test
    void jvmTellsItsMemoryPoolsCollectorsAndThreads() {
        Jvm jvm = sampler.sample().jvm();

        assertThat(jvm.memory()).extracting(MemoryArea::area).containsExactly("heap", "nonheap");
        assertThat(jvm.memory()).allSatisfy(area -> assertThat(area.usedBytes()).isPositive());
        assertThat(jvm.bufferPools()).extracting(BufferPool::pool).contains("direct", "mapped");
        assertThat(jvm.collectors()).isNotEmpty();
        assertThat(jvm.threads()).isPositive();
    }

    @Test
    void statusLinesAreReadInBytes() {
        ProcessStatus status = ProcessStatus.parse(List.of("Name:\tjava VmRSS:", "VmPeak:\t  999 kB",
                "VmSize:\t 2048 kB", "VmRSS:\t   12 kB"));

        assertThat(status).isEqualTo(new ProcessStatus(OptionalLong.of(2048 * 1024), OptionalLong.of(12 * 1024)));
    }

    @Test
    void statusWithoutReadableLinesIsEmpty() {
        ProcessStatus status = ProcessStatus.parse(List.of("VmSize:\t12", "VmRSS:\t-1 kB", "VmRSS:"));

        assertThat(status).isEqualTo(new ProcessStatus(OptionalLong.empty(), OptionalLong.empty()));
    }
}
