package io.servery.interop.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.servery.interop.ServeryProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of the AOT cache that the build makes, and of the native files, in the packaged jar (docs/adr/0015).
class AotCacheUseTest {
    private static final Path BUILT = Path.of("..", "servery-netty", "target").toAbsolutePath().normalize();
    private static final String JAR = "servery-netty.jar";
    private static final String CACHE = "servery-netty.aot";

    @TempDir
    Path directory;

    private Path temporary;
    private Path deployed;

    @BeforeEach
    void deploy() throws IOException {
        assumeTrue(Files.exists(BUILT.resolve(JAR)),
                "the jar is not built: this test runs from the package phase on (mvn verify)");
        assumeTrue(Files.exists(BUILT.resolve(CACHE)), "the jar was built without its cache (-Dservery.aot.skip)");
        temporary = Files.createDirectory(directory.resolve("temporary"));
        deployed = Files.createDirectory(directory.resolve("deployed"));
        Files.copy(BUILT.resolve(JAR), deployed.resolve(JAR), StandardCopyOption.COPY_ATTRIBUTES);
        Files.copy(BUILT.resolve(CACHE), deployed.resolve(CACHE), StandardCopyOption.COPY_ATTRIBUTES);
        Files.writeString(Files.createDirectory(directory.resolve("site")).resolve("page.txt"), "here");
    }

    @Test
    void isUsedInAnotherDirectoryToo() throws Exception {
        assertThat(served()).contains("\"aot\":\"used\"").doesNotContain("aot.rejected");
    }

    /// One cache serves both choices of {@code ServingFlags}: a large host gets G1.
    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseG1GC", "-XX:+UseSerialGC", "-Xmx64m"})
    void isUsedWithTheCollectorsThatWeChoose(String flag) throws Exception {
        assertThat(served(flag)).contains("\"aot\":\"used\"").doesNotContain("aot.rejected");
    }

    @Test
    void ofAnotherTimeOfTheJarIsRejectedAndOneEventSaysSo() throws Exception {
        Files.setLastModifiedTime(deployed.resolve(JAR), FileTime.from(Instant.parse("2026-02-03T04:05:06Z")));
        assertThatItIsRejected(served());
    }

    @Test
    void thatIsNoneIsRejectedAndOneEventSaysSo() throws Exception {
        Files.writeString(deployed.resolve(CACHE), "no cache at all");
        assertThatItIsRejected(served());
    }

    @Test
    void thatTheFlagsOfTheUserForbidIsRejectedAndOneEventSaysSo() throws Exception {
        assertThatItIsRejected(served("-XX:-UseCompactObjectHeaders"));
    }

    @Test
    void absenceIsNothingToSay() throws Exception {
        Files.delete(deployed.resolve(CACHE));
        assertThat(served()).contains("\"aot\":\"absent\"").doesNotContain("aot.rejected");
    }

    @Test
    void nativeFilesAreInOneDirectoryOfTheUserAndNoneIsLeftElsewhere() throws Exception {
        assertThat(served()).doesNotContain("natives.rejected");
        List<Path> first = files(temporary);
        assertThat(first).isNotEmpty().allMatch(file -> temporary.relativize(file).toString()
                .matches("servery-native-\\d+/lib(netty_transport_native_epoll|brotli|zstd-jni)[^/]*\\.so"));
        served();
        assertThat(files(temporary)).as("the second start uses them again").isEqualTo(first);
    }

    /// Each is mapped once, from the directory of the service: its library unpacks no copy of its own. Where the temporary
    /// directory cannot be written, and then nothing can be run from it either, none is missing.
    @Test
    void noLibraryUnpacksACopyOfItsOwnAndTheTemporaryDirectoryIsOfNoMatter() throws Exception {
        Path runtime = Files.createDirectory(directory.resolve("runtime"));
        temporary = directory.resolve("absent").resolve("temporary");
        List<String> mapped = new ArrayList<>();
        assertThat(served(launched -> mapped.addAll(mappedLibraries(launched.pid())), List.of(), "--set",
                "runtime.runtime_directory=" + runtime, "--set", "tls.mode=self-signed"))
                .doesNotContain("natives.rejected");
        assertThat(mapped).allMatch(file -> file.startsWith(runtime.resolve("native").toString()))
                .noneMatch(file -> file.endsWith("(deleted)"));
        for (String library : List.of("libnetty_transport_native_epoll", "libnetty_tcnative")) {
            assertThat(mapped).filteredOn(file -> file.contains(library)).as(library).hasSize(1);
        }
        assertThat(files(runtime)).as("nothing beside them").hasSameSizeAs(mapped);
    }

    /// Native files that are none of Java, of the system or of the jar's neighbour.
    private static List<String> mappedLibraries(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/maps")).stream()
                .filter(line -> line.contains("/") && line.contains(".so"))
                .map(line -> line.substring(line.indexOf('/')))
                .filter(file -> file.matches(".*/lib(netty|brotli|zstd)[^/]*")).distinct().toList();
    }

    @Test
    void runtimeDirectoryHoldsThemWhereThereIsOne() throws Exception {
        Path runtime = Files.createDirectory(directory.resolve("runtime"));
        assertThat(served(List.of(), "--set", "runtime.runtime_directory=" + runtime))
                .doesNotContain("natives.rejected");
        assertThat(files(runtime)).isNotEmpty().allMatch(file -> file.startsWith(runtime.resolve("native")));
        assertThat(files(temporary)).isEmpty();
    }

    @Test
    void runtimeDirectoryThatOthersCanChangeIsNotUsedAndOneEventSaysSo() throws Exception {
        Path runtime = Files.createDirectory(directory.resolve("runtime"));
        Files.setPosixFilePermissions(runtime, PosixFilePermissions.fromString("rwxrwxrwx"));
        String said = served(List.of(), "--set", "runtime.runtime_directory=" + runtime);
        assertThat(said.lines().filter(line -> line.contains("\"natives.rejected\""))).singleElement().asString()
                .contains(runtime + "/native").contains("open to other users");
        assertThat(files(runtime)).isEmpty();
        assertThat(files(temporary)).isNotEmpty();
    }

    private static void assertThatItIsRejected(String said) {
        assertThat(said).contains("\"aot\":\"rejected\"");
        assertThat(said.lines().filter(line -> line.contains("aot") && !line.contains("\"state\"")))
                .singleElement().asString().contains("\"event\":\"aot.rejected\"").contains(CACHE).contains("cp -p");
    }

    private String served(String... flags) throws Exception {
        return served(List.of(flags));
    }

    private String served(List<String> flags, String... options) throws Exception {
        return served(_ -> {
        }, flags, options);
    }

    private interface Look {
        void at(Launched launched) throws IOException;
    }

    /// What a server says on standard error from its start to its end, when it has answered one request.
    ///
    /// @param look done while it serves
    private String served(Look look, List<String> flags, String... options) throws Exception {
        int port = ServeryProcess.freePort();
        List<String> command = new ArrayList<>(List.of(InstalledJava.current().toString()));
        command.addAll(flags);
        command.addAll(List.of("-Djava.io.tmpdir=" + temporary, "-jar", JAR, "serve",
                directory.resolve("site").toString(), "--no-access", "--port", Integer.toString(port)));
        command.addAll(List.of(options));
        try (Launched launched = Launched.start(deployed, Map.of(), command)) {
            await().atMost(Duration.ofSeconds(60)).ignoreExceptions()
                    .until(() -> answer(port, command.contains("tls.mode=self-signed")).startsWith("HTTP/1.1 200 "));
            look.at(launched);
            launched.signal("TERM");
            assertThat(launched.exitCode()).as(launched.standardError()).isZero();
            assertThat(launched.output()).as("standard output is for data").isEmpty();
            return launched.standardError();
        }
    }

    private static String answer(int port, boolean secure) throws Exception {
        try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), port);
                Socket socket = secure ? secured(plain) : plain) {
            socket.setSoTimeout(5_000);
            socket.getOutputStream().write("GET /page.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private static Socket secured(Socket plain) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        return context.getSocketFactory().createSocket(plain, "localhost", plain.getPort(), true);
    }

    private static List<Path> files(Path root) throws IOException {
        try (var all = Files.walk(root)) {
            return all.filter(Files::isRegularFile).filter(file -> !file.toString().contains("hsperfdata")).sorted()
                    .toList();
        }
    }
}
