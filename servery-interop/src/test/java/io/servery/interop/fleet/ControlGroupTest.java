package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.servery.interop.ServeryProcess;
import io.servery.interop.load.Kind;
import io.servery.interop.load.Load;
import io.servery.interop.load.Lost;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A service in a control group with limits: what docs/operating/containers.md says of memory and processors.
class ControlGroupTest {
    private static final long MEBIBYTE = 1L << 20;
    /// The least for one worker, and the least that it has then.
    private static final long LEAST_BYTES = 320 * MEBIBYTE;
    private static final String[] LEAST = {"-Xmx40960k", "-XX:MaxDirectMemorySize=16384k",
            "-Dio.servery.form_bytes=8388608"};
    private static final Load.Mix FEW = new Load.Mix(2, 4, 2, 2, 2, 2);
    private static final int PROBES = 20;
    private static final int CONFIGURATION = 78;

    @TempDir
    Path folder;

    private Configuration configuration(String... runtime) {
        return Configuration.of(folder, Load.generate(folder.resolve("site")).root()).runtime(runtime);
    }

    /// Under load, and with two generations at once.
    @Test
    void leastLimitIsEnoughForTheLeastWorkerAndItsSuccessor() throws Exception {
        try (ControlGroup group = ControlGroup.ofMemory(LEAST_BYTES);
                Service service = Service.start(configuration("workers = 1"), group.starter());
                Load load = Load.start(service.port(), FEW)) {
            assertThat(service.worker().commandLine()).contains(LEAST);
            service.await("probes", () -> load.answers(Kind.PROBE) >= PROBES);
            Said reload = service.run("reload");
            assertThat(reload.code()).as(reload + service.errorText()).isZero();
            service.settled(1);
            assertThat(service.worker().commandLine()).contains(LEAST);
            load.stop();
            assertThat(load.lost()).as(() -> load + "\n" + service.errorText())
                    .noneMatch(lost -> lost.what() != Lost.What.LATE);
            assertThat(group.killed()).as("killed for memory").isZero();
            assertThat(service.metric("servery_worker_restarts_total")).isZero();
        }
    }

    @Test
    void limitBelowTheLeastIsRefusedWithTheFileThatSaysSo() {
        try (ControlGroup group = ControlGroup.ofMemory(LEAST_BYTES - MEBIBYTE);
                Service service = Service.launch(configuration("workers = 1").ports(ServeryProcess.freePort(),
                        ServeryProcess.freePort()), group.starter())) {
            assertThat(service.exitCode(Service.PATIENCE)).as(service::errorText).isEqualTo(CONFIGURATION);
            assertThat(service.errorText()).contains("runtime.workers: found 1 ", "expected at most 319 MiB",
                    group.memoryLimit().toString()).doesNotContain("\tat ");
            assertThat(service.runtimeFiles()).isEmpty();
        }
    }

    /// A quarter of the limit, all workers and their successors together.
    @Test
    void buffersOfWorkersFollowTheLimitAndTheirNumber() {
        try (ControlGroup group = ControlGroup.ofMemory(2048 * MEBIBYTE);
                Service service = Service.start(configuration("workers = 1"), group.starter())) {
            assertThat(service.worker().commandLine()).contains("-XX:MaxDirectMemorySize=262144k");
            service.configure(service.configuration().runtime("workers = 2"));
            assertThat(service.run("reload").code()).isZero();
            service.settled(2);
            assertThat(service.workers()).allSatisfy(
                    worker -> assertThat(worker.commandLine()).contains("-XX:MaxDirectMemorySize=131072k"));
        }
    }

    @Test
    void workersAndEventLoopsAreOfTheQuotaOfProcessors() {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "with one processor a quota of one changes nothing");
        try (ControlGroup group = ControlGroup.ofProcessors(1);
                Service service = Service.start(configuration("workers = \"auto\""), group.starter())) {
            assertThat(service.worker().commandLine()).contains("-XX:ActiveProcessorCount=1");
            assertThat(service.worker().threadNames()).contains("servery-loop-0").doesNotContain("servery-loop-1");
        }
    }
}
