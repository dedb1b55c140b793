package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.OsProcess;
import io.servery.interop.Site;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A worker of a reload that is out of memory before it is ready: what served before serves on.
///
/// *Not here*: its heap. The least that a configuration may give is enough for a start.
class CandidateMemoryTest {
    /// Less than a JVM of a worker takes for its start.
    private static final long LITTLE_BYTES = 32L << 20;

    @TempDir
    Path folder;

    @Test
    void candidateThatTheKernelGivesNoMoreMemoryFailsTheReload() {
        try (Service service = Service.start(Configuration.of(folder, Site.generate(folder.resolve("site")).root()))) {
            List<Long> pids = service.workerPids();
            service.configure(service.configuration().marked("large"));
            var reload = service.commands().start("reload");
            service.await("a candidate", () -> service.workers().size() == 2);
            OsProcess candidate = service.workers().stream().filter(worker -> !pids.contains(worker.pid())).findFirst()
                    .orElseThrow();
            candidate.allowData(LITTLE_BYTES);
            Said said = reload.join();
            assertThat(said.code()).as(said.toString()).isOne();
            assertThat(service.events("reload.rejected", 0)).singleElement().satisfies(event -> {
                assertThat(event.text("reason")).isEqualTo("startup_failure");
                assertThat(event.text("message")).as("how it ended").containsPattern("code|signal");
            });
            service.await("the worker from before alone", () -> service.workerPids().equals(pids));
            assertThat(service.mark()).isEmpty();
            assertThat(service.run("reload").code()).isZero();
            assertThat(folder.toFile().list((_, name) -> name.startsWith("core") || name.startsWith("hs_err")))
                    .as("dumps").isEmpty();
        }
    }
}
