package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.OsProcess;
import io.servery.interop.Site;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A service whose disk is full: it serves, reloads and replaces workers as before, and says what it could not say.
class FullDiskTest {
    private static final byte[] FILLER = "\n".repeat(4_096).getBytes(StandardCharsets.US_ASCII);
    private static final String SMALL_DISKS = """
            mkdir -m 700 "$0/run" "$0/logs"
            mount -t tmpfs -o size=32m,mode=700 tmpfs "$0/run"
            mount -t tmpfs -o size=256k tmpfs "$0/logs"
            exec >> "$0/logs/access.log" 2>> "$0/logs/errors.log"
            """;

    @TempDir
    Path folder;

    private Service start() {
        return Service.start(Configuration.of(folder, Site.generate(folder.resolve("site")).root())
                .runtime("workers = 2").logging("access = true"), Namespaces.mounts(SMALL_DISKS));
    }

    /// As the service sees it.
    private Path inside(Service service, String name) {
        return Path.of("/proc", Long.toString(service.parent().pid()), "root", folder.toString(), name);
    }

    private static void fill(Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (int length = FILLER.length; length > 0;) {
                length = written(out, length) ? length : length / 2;
            }
            assertThat(written(out, 1)).as("room for one byte").isFalse();
        }
    }

    private static boolean written(OutputStream out, int length) {
        try {
            out.write(FILLER, 0, length);
            return true;
        } catch (IOException full) {
            return false;
        }
    }

    private static List<Event> events(Path file) {
        try {
            return Event.all(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertLives(Service service) {
        double before = service.metric("servery_reload_total{result=\"success\"");
        List<Long> pids = service.workerPids();
        service.signal("HUP");
        service.await("a reload", () -> service.metric("servery_reload_total{result=\"success\"") == before + 1);
        service.settled(2);
        OsProcess dead = service.workers().getFirst();
        assertThat(pids).doesNotContain(dead.pid());
        dead.signal("KILL");
        service.settled(2);
        assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
    }

    @Test
    void linesThatFindNoRoomAreCountedAndTheFirstThatDoesTellsOfThem() throws IOException {
        try (Service service = start()) {
            Path errors = inside(service, "logs/errors.log");
            fill(errors);
            fill(inside(service, "logs/access.log"));
            assertLives(service);
            for (String sink : List.of("event", "access")) {
                service.await(sink, () -> service.metrics().sum("servery_log_events_dropped_total",
                        "sink=\"" + sink + '"', "reason=\"write_failure\"") > 0);
            }
            assertThat(events(errors)).noneMatch(event -> event.is("logging.dropped"));

            Files.write(errors, new byte[0], StandardOpenOption.TRUNCATE_EXISTING);
            service.signal("HUP");
            service.await("a word of what was dropped", () -> events(errors).stream()
                    .anyMatch(event -> event.is("logging.dropped") && event.text("sink").equals("event")));
            service.settled(2);
        }
    }

    @Test
    void fullRuntimeDirectoryHindersNobody() throws IOException {
        try (Service service = start()) {
            fill(inside(service, "run/filler"));
            assertLives(service);
            assertThat(events(inside(service, "logs/errors.log")))
                    .noneMatch(event -> event.is("natives.rejected") || event.is("runtime.trouble"));
        }
    }
}
