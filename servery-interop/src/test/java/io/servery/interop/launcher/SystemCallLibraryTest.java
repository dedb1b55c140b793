package io.servery.interop.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The library beside the packaged jar through which it calls the kernel, and the start without it (docs/adr/0015).
class SystemCallLibraryTest {
    private static final Path BUILT = Path.of("..", "servery-netty", "target").toAbsolutePath().normalize();
    private static final String JAR = "servery-netty.jar";
    private static final String LIBRARY = "servery-netty.so";
    private static final Pattern ADDRESS = Pattern
            .compile("\"listener\":\"http\",\"address\":\"http://[^\"]*:(\\d+)/?\"");

    @TempDir
    Path directory;

    @BeforeEach
    void deploy() throws IOException {
        assumeTrue(Files.exists(BUILT.resolve(LIBRARY)),
                "the jar is not built: this test runs from the package phase on (mvn verify)");
        assumeTrue(System.getProperty("os.arch").equals("amd64"), "the library is of x86-64");
        Files.copy(BUILT.resolve(JAR), directory.resolve(JAR));
        Files.copy(BUILT.resolve(LIBRARY), directory.resolve(LIBRARY));
        Files.writeString(Files.createDirectory(directory.resolve("site")).resolve("page.txt"), "here");
    }

    @Test
    void isUsedWhereItIsBesideTheJar() throws Exception {
        assertThat(mappingsOfOneThatServes()).contains("/" + LIBRARY);
    }

    @Test
    void withoutItTheServerServesAlike() throws Exception {
        Files.delete(directory.resolve(LIBRARY));
        assertThat(mappingsOfOneThatServes()).doesNotContain("/" + LIBRARY);
    }

    @Test
    void whatIsNoLibraryIsLeftAlone() throws Exception {
        Files.writeString(directory.resolve(LIBRARY), "no library at all");
        assertThat(mappingsOfOneThatServes()).doesNotContain("/" + LIBRARY);
    }

    @Test
    void linkIsNotFollowed() throws Exception {
        Path elsewhere = Files.move(directory.resolve(LIBRARY), directory.resolve("elsewhere.so"));
        Files.createSymbolicLink(directory.resolve(LIBRARY), elsewhere);
        assertThat(mappingsOfOneThatServes()).doesNotContain("elsewhere.so");
    }

    /// What the process maps, when it has answered one request.
    private String mappingsOfOneThatServes() throws Exception {
        List<String> command = List.of(InstalledJava.current().toString(), "-jar", JAR, "serve", "site", "--no-access",
                "--port", "0", "--set", "logging.format=json");
        try (Launched launched = Launched.start(directory, Map.of(), command)) {
            int port = port(launched);
            assertThat(answer(port)).startsWith("HTTP/1.1 200 ").endsWith("here");
            return Files.readString(Path.of("/proc/" + launched.pid() + "/maps"), StandardCharsets.ISO_8859_1);
        }
    }

    private static int port(Launched launched) throws IOException {
        await().atMost(Duration.ofSeconds(60)).until(() -> ADDRESS.matcher(launched.standardError()).find());
        Matcher address = ADDRESS.matcher(launched.standardError());
        assertThat(address.find()).isTrue();
        return Integer.parseInt(address.group(1));
    }

    private static String answer(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write("GET /page.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
