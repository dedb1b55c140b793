package io.servery.interop.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// The benchmark's own tests: what it parses, computes and decides. Nothing is measured here.
class BenchTest {
    private static final Path BENCH = SourceTree.file("bench");

    @Test
    void parsersAndStatisticsOfTheBenchmarkAreRight() throws Exception {
        assertThat(run("python3", "-B", "-m", "unittest", "discover", "-s", "tests", "-t", "."))
                .containsPattern("Ran [1-9]\\d+ tests").endsWith("OK\n");
    }

    @Test
    void commandOfTheBenchmarkStarts() throws Exception {
        assertThat(run("python3", "-B", "run", "--help")).contains("--only", "--work", "--reps", "--dur", "--quick",
                "--resume");
    }

    @Test
    void everyPartSaysWhatItIs() throws IOException {
        assertThat(SourceTree.files(".py").stream().filter(file -> file.startsWith(BENCH))
                .filter(file -> !file.endsWith("tests/__init__.py")).toList())
                .isNotEmpty().allSatisfy(file -> assertThat(Files.readString(file)).startsWith("\"\"\""));
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).directory(BENCH.toFile()).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(text).isZero();
        return text;
    }
}
