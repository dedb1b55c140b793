package io.servery.interop.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.servery.interop.Answer;
import io.servery.interop.ServeryProcess;
import io.servery.interop.WireConnection;
import io.servery.interop.fleet.Configuration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The AOT cache and the native files in a parent and its workers (docs/adr/0015): shared, or refused by each and said.
class AotCacheOfAServiceTest {
    private static final Path BUILT = Path.of("..", "servery-netty", "target").toAbsolutePath().normalize();
    private static final String JAR = "servery-netty.jar";
    private static final String CACHE = "servery-netty.aot";
    private static final int WORKERS = 2;

    @TempDir
    Path directory;

    private Path deployed;

    @BeforeEach
    void deploy() throws IOException {
        assumeTrue(Files.exists(BUILT.resolve(CACHE)), "the jar was built without its cache (-Dservery.aot.skip)");
        deployed = Files.createDirectory(directory.resolve("deployed"));
        Files.copy(BUILT.resolve(JAR), deployed.resolve(JAR), StandardCopyOption.COPY_ATTRIBUTES);
        Files.copy(BUILT.resolve(CACHE), deployed.resolve(CACHE), StandardCopyOption.COPY_ATTRIBUTES);
    }

    @Test
    void parentAndWorkersRunWithOneCacheAndOneCopyOfEachLibrary() throws Exception {
        List<List<String>> mapped = new ArrayList<>();
        String said = served(mapped);

        assertThat(said).contains("\"aot\":\"used\"").doesNotContain("aot.rejected", "natives.rejected");
        assertThat(mapped).hasSize(1 + WORKERS)
                .allSatisfy(files -> assertThat(files).contains(deployed.resolve(CACHE).toString()));
        List<List<String>> libraries = mapped.subList(1, mapped.size()).stream()
                .map(files -> files.stream().filter(file -> file.contains("libnetty_transport_native_epoll")).toList())
                .toList();
        assertThat(libraries).allSatisfy(files -> assertThat(files).singleElement().asString()
                .startsWith(directory.resolve("run").resolve("native").toString()));
        assertThat(libraries.stream().distinct()).as("the same file in each worker").hasSize(1);
    }

    @Test
    void eachProcessThatRefusesTheCacheSaysSo() throws Exception {
        Files.setLastModifiedTime(deployed.resolve(JAR), FileTime.from(Instant.parse("2026-02-03T04:05:06Z")));

        List<String> rejections = served(new ArrayList<>()).lines()
                .filter(line -> line.contains("\"event\":\"aot.rejected\"")).toList();

        assertThat(rejections).hasSize(1 + WORKERS).allMatch(line -> line.contains(CACHE));
        assertThat(rejections).filteredOn(line -> line.contains("\"worker\":0")).hasSize(1);
        assertThat(rejections).filteredOn(line -> line.contains("\"worker\":1")).hasSize(1);
    }

    /// What a service says from its start to its end.
    ///
    /// @param mapped the files that the parent, and then each worker, has mapped while they serve
    private String served(List<List<String>> mapped) throws Exception {
        int adminPort = ServeryProcess.freePort();
        Path file = Files.writeString(directory.resolve("servery.toml"),
                Configuration.of(directory, Files.createDirectory(directory.resolve("site")))
                        .ports(ServeryProcess.freePort(), adminPort).runtime("workers = " + WORKERS).toml());
        List<String> command = List.of(InstalledJava.current().toString(), "-jar", JAR, "--config", file.toString());
        try (Launched launched = Launched.start(deployed, Map.of(), command)) {
            await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> isReady(adminPort));
            ProcessHandle parent = ProcessHandle.of(launched.pid()).orElseThrow();
            for (ProcessHandle process : Stream.concat(Stream.of(parent), parent.children()).toList()) {
                mapped.add(mapped(process.pid()));
            }
            launched.signal("TERM");
            assertThat(launched.exitCode()).as(launched.standardError()).isZero();
            return launched.standardError();
        }
    }

    private static boolean isReady(int adminPort) {
        try (WireConnection connection = WireConnection.open(adminPort)) {
            Answer answer = connection.send("GET /readyz HTTP/1.1\r\nHost: 127.0.0.1:" + adminPort
                    + "\r\nConnection: close\r\n\r\n").answer();
            return answer.status() == 200;
        }
    }

    private static List<String> mapped(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(pid), "maps")).stream()
                .filter(line -> line.indexOf('/') > 0).map(line -> line.substring(line.indexOf('/')))
                .distinct().toList();
    }
}
