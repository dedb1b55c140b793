package io.servery.interop;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/// The system calls of all threads of a process that concern descriptors, watched by strace(1) until they are asked for.
public final class SystemCalls implements AutoCloseable {
    private static final Duration ATTACHED = Duration.ofSeconds(60);
    private static final int END_SECONDS = 60;
    private static final String THREAD = "thread.";
    private static final Pattern LINE = Pattern.compile("([a-z0-9_]+)\\((.*)\\) += (-?[0-9]+).*");

    private final Process strace;
    private final Path folder;

    private SystemCalls(Process strace, Path folder) {
        this.strace = strace;
        this.folder = folder;
    }

    /// One call that returned.
    ///
    /// @param thread the number of the thread that called
    /// @param name as in the kernel's table
    /// @param arguments as strace writes them: descriptors with what they refer to
    /// @param result what it returned; of calls that move bytes, how many
    public record Call(long thread, String name, String arguments, long result) {
        public boolean names(String what) {
            return arguments.contains(what);
        }
    }

    /// Watches a process from now on; skips the test where strace is missing or may not attach to it.
    public static SystemCalls of(OsProcess process, Path folder) throws IOException {
        Path strace = Installed.anyOf("strace");
        Path own = Files.createTempDirectory(folder, "calls");
        Path said = own.resolve("said.txt");
        var calls = new SystemCalls(new ProcessBuilder(strace.toString(), "-yy", "-ff", "-s", "0", "-e",
                "trace=%desc,%network", "-o", own.resolve("thread").toString(), "-p", Long.toString(process.pid()))
                .redirectErrorStream(true).redirectOutput(said.toFile()).start(), own);
        calls.awaitAttached(process);
        assumeThat(calls.strace.isAlive()).as("strace may not attach: " + Files.readString(said)).isTrue();
        return calls;
    }

    private void awaitAttached(OsProcess process) {
        Set<String> tracer = Set.of(Long.toString(strace.pid()));
        try {
            Awaitility.await("every thread is watched").atMost(ATTACHED)
                    .until(() -> !strace.isAlive() || process.ofThreads("TracerPid").equals(tracer));
        } catch (ConditionTimeoutException e) {
            close();
            throw e;
        }
    }

    /// Those that returned until now; nothing is watched any more.
    public List<Call> stop() throws IOException {
        close();
        try (Stream<Path> threads = Files.list(folder)) {
            return threads.filter(file -> file.getFileName().toString().startsWith(THREAD))
                    .flatMap(SystemCalls::calls).toList();
        }
    }

    private static Stream<Call> calls(Path file) {
        long thread = Long.parseLong(file.getFileName().toString().substring(THREAD.length()));
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1).lines().map(LINE::matcher)
                    .filter(Matcher::matches)
                    .map(found -> new Call(thread, found.group(1), found.group(2), Long.parseLong(found.group(3))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Lets the process go: by TERM strace leaves it as it was.
    @Override
    public void close() {
        strace.destroy();
        try {
            if (!strace.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("strace does not end");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
