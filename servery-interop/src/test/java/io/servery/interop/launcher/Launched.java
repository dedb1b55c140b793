package io.servery.interop.launcher;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// One process under test: its lines of standard output as they come, its standard error, its end.
final class Launched implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String END = "<end of output>";

    private final Process process;
    private final Path standardError;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private Launched(Process process, Path standardError) {
        this.process = process;
        this.standardError = standardError;
        Thread.ofPlatform().daemon().start(this::readLines);
    }

    /// Starts `command` with no variables of the environment but `PATH` and those given.
    static Launched start(Path directory, Map<String, String> environment, List<String> command) throws IOException {
        Path standardError = Files.createTempFile(directory, "stderr", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile())
                .redirectError(standardError.toFile());
        builder.environment().keySet().retainAll(List.of("PATH"));
        builder.environment().putAll(environment);
        return new Launched(builder.start(), standardError);
    }

    private void readLines() {
        try (BufferedReader output = process.inputReader()) {
            output.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException closedByTheTest) {
            // The end of the output, like any other.
        }
        lines.add(END);
    }

    long pid() {
        return process.pid();
    }

    /// The next line of standard output, or an error that shows what standard error says.
    String line() throws InterruptedException, IOException {
        String line = lines.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (line == null || line.equals(END)) {
            throw new AssertionError(
                    (line == null ? "no line within " + PATIENCE : "output ended") + "; standard error: "
                            + standardError());
        }
        return line;
    }

    void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-s", name, Long.toString(process.pid())).start().waitFor();
        if (code != 0) {
            throw new AssertionError("kill -s " + name + " " + process.pid() + " ended with " + code);
        }
    }

    int exitCode() throws InterruptedException, IOException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("still running after " + PATIENCE + "; standard error: " + standardError());
        }
        return process.exitValue();
    }

    /// What is left of standard output, up to its end.
    List<String> output() throws InterruptedException {
        List<String> rest = new ArrayList<>();
        for (String line = lines.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS); line != null
                && !line.equals(END); line = lines.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            rest.add(line);
        }
        return rest;
    }

    String standardError() throws IOException {
        return Files.readString(standardError);
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
