package io.servery.interop.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.Installed;
import io.servery.interop.fleet.Said;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A program of the host, which runs in a folder of the test and ends in time.
///
/// @param name its name or path
/// @param folder where it runs, and for what it says
/// @param environment what it finds there besides
record Program(String name, Path folder, Map<String, String> environment) {
    /// Of the slowest, testssl.
    private static final int TIMEOUT_SECONDS = 300;

    /// One that is there; else the test is skipped.
    static Program of(String name, Path folder) {
        return new Program(Installed.anyOf(name).toString(), folder, Map.of());
    }

    /// What it says, whatever its exit code.
    Said run(String input, List<String> words) {
        List<String> command = new ArrayList<>(List.of(name));
        command.addAll(words);
        try {
            Path typed = Files.writeString(Files.createTempFile(folder, "typed", ".txt"), input);
            Path output = Files.createTempFile(folder, "program", ".out");
            Path errors = Files.createTempFile(folder, "program", ".err");
            ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile())
                    .redirectInput(typed.toFile()).redirectOutput(output.toFile()).redirectError(errors.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            try {
                assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).as(String.join(" ", command)).isTrue();
            } finally {
                process.destroyForcibly();
            }
            return new Said(process.exitValue(), Files.readString(output), Files.readString(errors));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Runs it to an end without an error.
    Said make(String... words) {
        Said said = run("", List.of(words));
        assertThat(said.code()).as(name + " " + String.join(" ", words) + ": " + said).isZero();
        return said;
    }
}
