package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.Site;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `logging.level` of a service that runs: parent and workers say more and less from then on, and none of them is replaced.
class LogLevelTest {
    private static final int WORKERS = 2;

    @TempDir
    Path folder;

    private static void changeLevel(Service service, String level) {
        List<Long> pids = service.workerPids();
        int generation = service.generation();
        service.configure(service.configuration().logging("access = false", "level = \"" + level + '"'));
        Said said = service.run("reload");
        assertThat(said.code()).as(said.toString()).isZero();
        assertThat(said.output()).contains("applied without a new generation: logging.level");
        assertThat(service.generation()).isEqualTo(generation);
        assertThat(service.workerPids()).isEqualTo(pids);
    }

    /// A generation, whose predecessor says that it drains if it may; and a death, of which the parent would warn.
    private static void live(Service service) {
        service.workers().getFirst().signal("KILL");
        service.settled(WORKERS);
        assertThat(service.run("reload").code()).isZero();
        service.settled(WORKERS);
    }

    @Test
    void changedLevelHoldsForTheParentAndForWorkersThatRun() {
        Configuration usual = Configuration.of(folder, Site.generate(folder.resolve("site")).root())
                .runtime("workers = " + WORKERS);
        try (Service service = Service.start(usual)) {
            changeLevel(service, "error");
            int before = service.events().size();
            live(service);
            changeLevel(service, "info");
            // What was held back would stand before it: each process writes in the order of its events.
            service.await("a word", () -> !service.events("reload.accepted", before).isEmpty());
            assertThat(service.events().subList(before, service.events().size())).as("since nothing was to be said")
                    .singleElement().satisfies(event -> assertThat(event.text("changed")).isEqualTo("logging.level"));

            live(service);
            service.await("the ends of a death and of a generation",
                    () -> service.events("worker.exited", before).size() == 1 + WORKERS);
            assertThat(service.events("drain.started", before)).as("of workers that began with the level before")
                    .isNotEmpty();
        }
    }
}
