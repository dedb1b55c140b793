package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.OsProcess;
import io.servery.interop.Site;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A parent that is out of descriptors: what serves serves on, what fails says why, and nothing of it is left when there are
/// some again.
class ParentDescriptorsTest {
    /// Nearly all of these are taken, and they are as many as the loop waits for: poll(2) bears no more of them than may be open.
    private static final int NONE = 20;
    private static final int ENOUGH = 1_024;
    /// More than a reload takes.
    private static final int MANY = 64;
    private static final String[] RUNTIME = {"workers = 2", "start_timeout = \"2m\"", "worker_restart_limit = 1000",
            "restart_backoff_initial = \"100ms\"", "restart_backoff_max = \"100ms\""};

    @TempDir
    Path folder;

    private Service service;
    private OsProcess parent;
    private List<Long> pids;

    @BeforeEach
    void start() {
        service = Service
                .start(Configuration.of(folder, Site.generate(folder.resolve("site")).root()).runtime(RUNTIME));
        service.settled(2);
        parent = service.parent();
        pids = service.workerPids();
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private void assertServes() {
        assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
    }

    /// The verdict of a reload by signal, while the parent may open so many. Candidates that cannot be let in are ended here,
    /// since their deadline is far.
    private Event verdict(int most) {
        parent.allowDescriptors(most);
        int before = service.events().size();
        service.signal("HUP");
        service.await("a verdict, or trouble", () -> verdictAfter(before).isPresent() || isTroubled(before));
        if (isTroubled(before)) {
            service.workers().stream().filter(worker -> !pids.contains(worker.pid()))
                    .forEach(candidate -> candidate.signal("KILL"));
        }
        service.await("a verdict", () -> verdictAfter(before).isPresent());
        return verdictAfter(before).orElseThrow();
    }

    private Optional<Event> verdictAfter(int before) {
        return service.events().stream().skip(before)
                .filter(event -> event.is("reload.accepted") || event.is("reload.rejected")).findFirst();
    }

    private boolean isTroubled(int since) {
        return !service.events("runtime.trouble", since).isEmpty();
    }

    /// With one more each time, it comes one step further: to reading, to the start of workers, to letting them in. A candidate
    /// that is not let in says nothing; why not, the parent says.
    @Test
    void reloadFailsWithItsCauseAtWhateverStepTheyEnd() {
        int held = parent.descriptors();
        for (int most = NONE; !isTroubled(0); most++) {
            assertThat(most).isLessThan(held + MANY);
            Event verdict = verdict(most);
            String cause = verdict.text("message");
            assertThat(isTroubled(0) || cause.contains("Too many open files")).as(verdict.toString()).isTrue();
            service.await("the workers from before alone", () -> service.workerPids().equals(pids));
            assertServes();
        }
        assertThat(service.events("runtime.trouble", 0)).singleElement().satisfies(
                event -> assertThat(event.text("message")).contains("control.sock", "Too many open files"));

        assertThat(verdict(ENOUGH).name()).isEqualTo("reload.accepted");
        service.settled(2);
        assertThat(service.workerPids()).doesNotContainAnyElementsOf(pids);
        service.await("no more than before", () -> parent.descriptors() <= held);
        assertThat(service.errorText()).doesNotContain("runtime.bug");
    }

    /// Some are left that have low numbers: it waits, or not.
    @Test
    void commandIsAnsweredThatCameWithoutThem() {
        parent.allowDescriptors(NONE);
        CompletableFuture<Said> status = service.commands().start("status", "--ready");
        service.await("a command", () -> service.operators() == 1 || status.isDone());
        assertServes();
        parent.allowDescriptors(ENOUGH);
        Said said = status.join();
        assertThat(said.code()).as(said.toString()).isZero();
        assertServes();
    }

    @Test
    void workerThatDiesIsReplacedOnceThereAreSome() {
        parent.allowDescriptors(NONE);
        OsProcess dead = service.workers().getFirst();
        dead.signal("KILL");
        service.awaitExit(dead.pid());
        service.await("an attempt", () -> service.events("worker.exited", 0).size() > 1
                || service.events("worker.started", 0).size() > 2);
        assertServes();
        parent.allowDescriptors(ENOUGH);
        service.settled(2);
        assertServes();
    }
}
