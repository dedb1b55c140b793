package io.servery.interop.fleet;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/// A control group for a service (cgroups(7)), of version 2 where that has the controller, else of version 1.
final class ControlGroup implements AutoCloseable {
    private static final long PERIOD_MICROS = 100_000;
    private static final Duration EMPTY_WITHIN = Duration.ofSeconds(10);

    private final Path directory;
    private final boolean second;

    private ControlGroup(Path directory, boolean second) {
        this.directory = directory;
        this.second = second;
    }

    /// One that may fill so much memory; skips the test where none can be made.
    static ControlGroup ofMemory(long bytes) {
        return made("memory").limited("memory.max", "memory.limit_in_bytes", Long.toString(bytes));
    }

    /// One that has so much time of processors; skips the test where none can be made.
    static ControlGroup ofProcessors(int count) {
        ControlGroup made = made("cpu");
        String quota = Long.toString(count * PERIOD_MICROS);
        return made.limited("cpu.max", "cpu.cfs_quota_us", made.second ? quota + " " + PERIOD_MICROS : quota);
    }

    private static ControlGroup made(String controller) {
        try {
            List<String[]> mounts = Files.readAllLines(Path.of("/proc/self/mounts")).stream()
                    .map(line -> line.split(" ", -1)).toList();
            Optional<Path> newer = mounts.stream().filter(mount -> mount[2].equals("cgroup2"))
                    .map(mount -> Path.of(mount[1])).filter(point -> controls(point, controller)).findFirst();
            Path hierarchy = newer.or(() -> mounts.stream().filter(mount -> mount[2].equals("cgroup")
                    && List.of(mount[3].split(",", -1)).contains(controller)).map(mount -> Path.of(mount[1]))
                    .findFirst())
                    .orElseGet(() -> abort("no control groups for " + controller + " here"));
            if (newer.isPresent()) {
                Files.writeString(hierarchy.resolve("cgroup.subtree_control"), "+" + controller);
            }
            return new ControlGroup(Files.createTempDirectory(hierarchy, "servery-test-"), newer.isPresent());
        } catch (IOException e) {
            return abort("no control group can be made here: " + e);
        }
    }

    private static boolean controls(Path hierarchy, String controller) {
        try {
            return List.of(Files.readString(hierarchy.resolve("cgroup.controllers")).strip().split(" ", -1))
                    .contains(controller);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ControlGroup limited(String newer, String older, String value) {
        try {
            Files.writeString(file(newer, older), value);
            return this;
        } catch (IOException e) {
            close();
            throw new UncheckedIOException(e);
        }
    }

    private Path file(String newer, String older) {
        return directory.resolve(second ? newer : older);
    }

    /// Where its memory is limited.
    Path memoryLimit() {
        return file("memory.max", "memory.limit_in_bytes");
    }

    /// Starts a service in it.
    Service.Starter starter() {
        return (builder, _) -> builder.command(Stream.concat(
                Stream.of("sh", "-ec", "echo $$ > \"$0\"; exec \"$@\"", directory.resolve("cgroup.procs").toString()),
                builder.command().stream()).toList());
    }

    /// How many of its processes the kernel killed for their memory.
    long killed() {
        try (var lines = Files.lines(file("memory.events", "memory.oom_control"))) {
            return lines.filter(line -> line.startsWith("oom_kill "))
                    .mapToLong(line -> Long.parseLong(line.substring(9)))
                    .findFirst().orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What was in it has ended, and is counted a moment longer.
    @Override
    public void close() {
        Awaitility.await("an empty group").atMost(EMPTY_WITHIN).ignoreExceptions()
                .until(() -> Files.deleteIfExists(directory) || !Files.exists(directory));
    }
}
