package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.OsProcess;
import io.servery.interop.Site;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A service that is process 1, as in a container: it waits for the children of others, and takes no end of a worker for one
/// of theirs.
class ProcessOneTest {
    private static final int ORPHANS = 5;
    private static final Duration EXIT = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private Service service;

    @BeforeEach
    void start() {
        Service.Starter processOne = Namespaces.processOne();
        service = Service.start(
                Configuration.of(folder, Site.generate(folder.resolve("site")).root()).runtime("workers = 2"),
                processOne);
        assertThat(service.parent().innermostPid()).isEqualTo(1);
    }

    @AfterEach
    void stop() {
        if (service != null) {
            service.close();
        }
    }

    /// A process whose own parent ended before it, as those that are executed in a container leave them.
    private OsProcess orphan() throws Exception {
        List<OsProcess> before = service.parent().children();
        Process parent = new ProcessBuilder("nsenter", "--target", Long.toString(service.parent().pid()), "--pid",
                "sh", "-c", "tail -f /dev/null &").redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        assertThat(parent.waitFor()).isZero();
        service.await("an orphan", () -> service.parent().children().size() > before.size());
        return service.parent().children().stream().filter(child -> !before.contains(child)).findFirst().orElseThrow();
    }

    private List<OsProcess> orphans() throws Exception {
        List<OsProcess> orphans = new ArrayList<>();
        for (int i = 0; i < ORPHANS; i++) {
            orphans.add(orphan());
        }
        return orphans;
    }

    private void awaitReaped(List<OsProcess> orphans) {
        service.await("no zombie", () -> orphans.stream().noneMatch(OsProcess::exists));
    }

    @Test
    void orphansOfOthersAreReaped() throws Exception {
        List<OsProcess> orphans = orphans();
        orphans.forEach(orphan -> orphan.signal("KILL"));
        awaitReaped(orphans);
        service.settled(2);
        assertThat(service.events("worker.exited", 0)).isEmpty();
    }

    /// Orphans end before and after them.
    @Test
    void endsOfWorkersAreToldAsTheyWere() throws Exception {
        List<OsProcess> orphans = orphans();
        OsProcess worker = service.workers().getFirst();
        long pid = worker.innermostPid();
        orphans.subList(0, 2).forEach(orphan -> orphan.signal("KILL"));
        worker.signal("KILL");
        orphans.subList(2, ORPHANS).forEach(orphan -> orphan.signal("KILL"));
        Event exited = service.awaitExit(pid);
        assertThat(exited.text("reason")).isEqualTo("unexpected_exit");
        assertThat(exited.text("message")).contains("killed by signal 9");
        awaitReaped(orphans);
        service.settled(2);

        int before = service.events().size();
        Said reload = service.run("reload");
        assertThat(reload.code()).as(reload.toString()).isZero();
        service.settled(2);
        service.await("the ends of the former workers", () -> service.events("worker.exited", before).size() == 2);
        assertThat(service.events("worker.exited", before))
                .allSatisfy(event -> assertThat(event.text("reason")).isEqualTo("clean_exit"));
        assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
    }

    /// What others left runs until then.
    @Test
    void termStopsAndNothingIsLeft() throws Exception {
        OsProcess orphan = orphan();
        service.signal("TERM");
        service.await("refusals", service::refuses);
        assertThat(service.exitCode(EXIT)).as(service::errorText).isZero();
        assertThat(service.survivors()).isEmpty();
        assertThat(orphan.exists()).isFalse();
        assertThat(service.runtimeFiles()).isEmpty();
        assertThat(service.events("worker.exited", 0)).hasSize(2)
                .allSatisfy(event -> assertThat(event.text("reason")).isEqualTo("clean_exit"));
    }
}
