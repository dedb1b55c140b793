package io.servery.interop.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.servery.interop.ServeryProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `java -jar` with the packaged jar, under this Java and under an old one.
class PackagedJarTest {
    private static final Path JAR = Path.of("..", "servery-netty", "target", "servery-netty.jar").toAbsolutePath()
            .normalize();

    @TempDir
    Path directory;

    @BeforeEach
    void findTheJar() {
        assumeTrue(Files.exists(JAR), "the jar is not built: this test runs from the package phase on (mvn verify)");
    }

    @Test
    void reportingCommandSaysNothingOnStandardError() throws Exception {
        try (Launched launched = launch(InstalledJava.current(), "version")) {
            assertThat(launched.exitCode()).isZero();
            assertThat(launched.standardError()).isEmpty();
        }
    }

    @Test
    void underAnOldJavaAReportingCommandWorksToo() throws Exception {
        try (Launched launched = launch(oldJava(), "version")) {
            assertThat(launched.exitCode()).isZero();
            assertThat(launched.standardError().lines()).singleElement().asString().contains("development");
        }
    }

    @Test
    void servingHasTheFlagsAndNoWarningAndEndsWithZeroAtTerm() throws Exception {
        servesAndEndsWithZeroAtTerm(InstalledJava.current());
    }

    @Test
    void underAnOldJavaItServesAndEndsWithZeroAtTerm() throws Exception {
        servesAndEndsWithZeroAtTerm(oldJava());
    }

    private void servesAndEndsWithZeroAtTerm(Path java) throws Exception {
        Files.writeString(directory.resolve("page.txt"), "here");
        int port = ServeryProcess.freePort();
        try (Launched launched = launch(java, "serve", directory.toString(), "--port", Integer.toString(port))) {
            URI page = URI.create("http://127.0.0.1:" + port + "/page.txt");
            await().atMost(Duration.ofSeconds(60)).ignoreExceptions()
                    .untilAsserted(() -> assertThat(body(page)).isEqualTo("here"));
            ProcessHandle server = ProcessHandle.of(launched.pid()).orElseThrow();
            server = server.children().findFirst().orElse(server);
            assertThat(Files.readString(Path.of("/proc", Long.toString(server.pid()), "cmdline")).split("\0", -1))
                    .contains("-XX:+ExitOnOutOfMemoryError", "io.servery.netty.Main");
            launched.signal("TERM");
            assertThat(launched.exitCode()).as(launched.standardError()).isZero();
            assertThat(launched.standardError()).doesNotContain("WARNING");
        }
    }

    private static String body(URI page) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(page).timeout(Duration.ofSeconds(5)).build(),
                    HttpResponse.BodyHandlers.ofString()).body();
        }
    }

    private Launched launch(Path java, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(java.toString(), "-jar", JAR.toString()));
        command.addAll(List.of(args));
        return Launched.start(directory, Map.of("SERVERY_JAVA_HOME", System.getProperty("java.home")), command);
    }

    private static Path oldJava() throws IOException {
        Optional<Path> old = InstalledJava.old();
        assumeTrue(old.isPresent(), "no JDK of 11 to 24 in /usr/lib/jvm: the launcher has nothing to run under");
        return old.get();
    }
}
