package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.OsProcess;
import io.servery.interop.load.Kind;
import io.servery.interop.load.Load;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Reload after reload under mixed traffic: no client notices, and the parent is what it was before.
///
/// The long form: `-Dservery.fleet.reloads=100`.
@Isolated
class ReloadTest {
    private static final int RELOADS = Integer.getInteger("servery.fleet.reloads", 5);
    /// Reloads after which the parent has loaded and compiled what a reload needs.
    private static final int FIRST = 3;
    private static final int BY_COMMAND_EACH = 4;
    private static final int WORKERS = 2;
    /// What is alive in the heap of the parent may differ by so much, whatever the number of reloads.
    private static final long LIVE_GROWTH_BYTES_MAX = 1L << 20;
    /// From here on the heap has been filled and collected so often that its pages are no reason to grow.
    private static final int RELOADS_FILL_THE_HEAP = 50;
    private static final long RESIDENT_GROWTH_BYTES_MAX = 8L << 20;
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total +[0-9]+ +([0-9]+)");

    @TempDir
    Path folder;

    /// What a parent holds while nothing changes.
    private record Census(int threads, int descriptors, List<String> files) {
        boolean isWithin(Census before) {
            return threads <= before.threads && descriptors <= before.descriptors && files.equals(before.files);
        }

        static Census of(Service service) {
            OsProcess parent = service.parent();
            return new Census(parent.threads(), parent.descriptors(), service.runtimeFiles());
        }
    }

    @Test
    void manyReloadsUnderMixedTrafficLoseNothingAndLeaveNothing() throws Exception {
        Configuration configuration = Configuration.of(folder, Load.generate(folder.resolve("site")).root())
                .runtime("workers = " + WORKERS);
        try (Service service = Service.start(configuration);
                Load load = Load.start(service.port(), Load.Mix.USUAL);
                CounterWatch counters = CounterWatch.start(service)) {
            Set<Long> pids = new HashSet<>(service.workerPids());
            for (int i = 0; i < FIRST; i++) {
                reload(service, i, pids);
            }
            service.settled(WORKERS);
            long liveBefore = liveBytes(service.parent());
            Census before = Census.of(service);
            long residentBefore = 0;
            for (int i = FIRST; i < RELOADS; i++) {
                reload(service, i, pids);
                if (i == RELOADS_FILL_THE_HEAP) {
                    residentBefore = service.parent().residentBytes();
                }
            }
            service.settled(WORKERS);
            load.stop();
            assertThat(load.lost()).as(() -> load + "\n" + service.errorText()).isEmpty();
            for (Kind kind : Kind.values()) {
                assertThat(load.answers(kind)).as(kind.toString()).isPositive();
            }
            assertThat(counters.stop()).as("counters that fell").isEmpty();
            // The scraper of the counters may have been connected then, and is not now.
            service.await("no more threads, descriptors and files than before: " + before,
                    () -> Census.of(service).isWithin(before));
            if (RELOADS > RELOADS_FILL_THE_HEAP) {
                assertThat(service.parent().residentBytes() - residentBefore).as("memory that the parent grew by")
                        .isLessThan(RESIDENT_GROWTH_BYTES_MAX);
            }
            assertThat(liveBytes(service.parent()) - liveBefore).as("what is alive in the parent grew by")
                    .isLessThan(LIVE_GROWTH_BYTES_MAX);
            assertThat(service.metric("servery_reload_total{result=\"success\"")).isEqualTo(RELOADS);
            assertThat(service.metric("servery_worker_restarts_total")).as("restarts").isZero();
            assertThat(service.metric("servery_drain_forced_total")).as("forced work").isZero();
        }
    }

    /// What a full collection leaves in the heap of a JVM, as its own tool counts it.
    private static long liveBytes(OsProcess jvm) throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process process = new ProcessBuilder(jcmd.toString(), Long.toString(jvm.pid()), "GC.class_histogram")
                .redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher total = TOTAL.matcher(text);
        assertThat(process.waitFor() == 0 && total.find()).as(text).isTrue();
        return Long.parseLong(total.group(1));
    }

    /// By HUP, and now and then by the command: a new generation, of new processes.
    private static void reload(Service service, int number, Set<Long> pids) {
        int before = service.generation();
        int events = service.events().size();
        if (number % BY_COMMAND_EACH == 0) {
            Said said = service.run("reload");
            assertThat(said.code()).as(said.toString()).isZero();
        } else {
            service.signal("HUP");
        }
        service.await("generation " + (before + 1), () -> service.generation() == before + 1);
        service.await("reload.accepted", () -> !service.events("reload.accepted", events).isEmpty());
        assertThat(service.events("worker.ready", events)).hasSize(WORKERS).allSatisfy(event -> {
            assertThat(event.text("generation")).isEqualTo(Integer.toString(before + 1));
            assertThat(pids.add(Long.valueOf(event.text("pid")))).as("a new process").isTrue();
        });
        assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
    }
}
