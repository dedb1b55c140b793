package io.servery.interop.fleet;

import io.servery.interop.ServeryProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// The operator's commands: the packaged jar, once for each.
///
/// @param folder for what they say
/// @param file the configuration that they are given
public record Commands(Path folder, Path file) {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /// Runs one to its end.
    public Said run(String... words) {
        return start(words).join();
    }

    /// Starts one; what it says comes when it has ended.
    CompletableFuture<Said> start(String... words) {
        List<String> command = new ArrayList<>(
                List.of(ServeryProcess.java(), "-jar", ServeryProcess.JAR.toString()));
        command.addAll(List.of(words));
        command.addAll(List.of("--config", file.toString()));
        try {
            Path output = Files.createTempFile(folder, "said", ".out");
            Path errors = Files.createTempFile(folder, "said", ".err");
            Process process = new ProcessBuilder(command).directory(folder.toFile())
                    .redirectOutput(output.toFile()).redirectError(errors.toFile()).start();
            process.getOutputStream().close();
            return process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).whenComplete((_, late) -> {
                if (late != null) {
                    process.destroyForcibly();
                }
            }).thenApply(ended -> new Said(ended.exitValue(), read(output), read(errors)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
