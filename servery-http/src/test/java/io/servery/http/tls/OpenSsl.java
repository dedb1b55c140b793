package io.servery.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.servery.core.tls.Identity;
import io.servery.core.tls.IdentityReader;
import io.servery.core.tls.IdentityReading;
import io.servery.core.tls.IdentityText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// The commands of `openssl` and others, in a directory of the test: they make certificates and are clients.
final class OpenSsl {
    private static final int TIMEOUT_SECONDS = 60;

    private final Path directory;
    private int runs;

    OpenSsl(Path directory) {
        this.directory = directory;
        assumeTrue(isInstalled("openssl"), "openssl is not installed");
    }

    static boolean isInstalled(String program) {
        return List.of(System.getenv("PATH").split(":", -1)).stream()
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }

    /// What a program prints, whatever its exit code.
    String run(String input, String... command) {
        Path output = directory.resolve("output-" + runs++);
        try {
            Path typed = Files.writeString(directory.resolve("input"), input);
            Process process = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true)
                    .redirectInput(typed.toFile()).redirectOutput(output.toFile()).start();
            try {
                assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).as(String.join(" ", command)).isTrue();
            } finally {
                process.destroyForcibly();
            }
            return "exit " + process.exitValue() + "\n" + Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void make(String... words) {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(words));
        String said = run("", command.toArray(String[]::new));
        assertThat(said).as(String.join(" ", command)).startsWith("exit 0");
    }

    /// A root in `NAME.pem` with its key in `NAME.key`.
    void root(String name) throws IOException {
        make("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", name + ".key");
        make("req", "-x509", "-new", "-key", name + ".key", "-subj", "/CN=" + name, "-days", "30", "-out",
                name + ".pem");
    }

    /// An identity signed by a root, with its files `NAME.pem` and `NAME.key`.
    ///
    /// @param key the words of `openssl genpkey` after `-algorithm`
    Identity identity(String name, String root, String alternativeNames, String... key) throws IOException {
        List<String> words = new ArrayList<>(List.of("genpkey", "-out", name + ".key", "-algorithm"));
        words.addAll(key.length == 0 ? List.of("EC", "-pkeyopt", "ec_paramgen_curve:P-256") : List.of(key));
        make(words.toArray(String[]::new));
        Files.writeString(directory.resolve("extensions"), "subjectAltName=" + alternativeNames + "\n");
        make("req", "-new", "-key", name + ".key", "-subj", "/CN=" + name, "-out", name + ".csr");
        make("x509", "-req", "-in", name + ".csr", "-CA", root + ".pem", "-CAkey", root + ".key", "-CAcreateserial",
                "-days", "30", "-extfile", "extensions", "-out", name + ".pem");
        IdentityReading reading = IdentityReader.read(new IdentityText("tls.manual", name + ".pem",
                text(name + ".pem"), name + ".key", text(name + ".key"), Optional.empty(), List.of()), Instant.now());
        assertThat(reading).isInstanceOf(IdentityReading.Accepted.class);
        return ((IdentityReading.Accepted) reading).identity();
    }

    String text(String file) throws IOException {
        return Files.readString(directory.resolve(file));
    }

    Path file(String name) {
        return directory.resolve(name);
    }
}
