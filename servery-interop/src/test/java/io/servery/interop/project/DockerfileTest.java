package io.servery.interop.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The Dockerfile as text, since not every machine that runs the tests has an engine; its health check is really run.
class DockerfileTest {
    private static final Pattern STRING = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

    private List<String> instructions;

    @BeforeEach
    void read() throws IOException {
        String joined = SourceTree.text("Dockerfile").lines().filter(line -> !line.startsWith("#"))
                .reduce("", (left, right) -> left + "\n" + right).replaceAll("\\\\\n\\s*", "");
        instructions = joined.lines().filter(line -> !line.isBlank()).toList();
    }

    @Test
    void baseIsAJavaRuntimeOf25() {
        assertThat(instruction("FROM")).matches("\\S+:25\\S*-jre\\S*|\\S+:25-jre");
    }

    @Test
    void itRunsAsAUserThatIsNotRootByNumber() {
        assertThat(instruction("USER")).matches("[1-9][0-9]{3,}:[1-9][0-9]{3,}");
        assertThat(indexOf("USER")).isGreaterThan(indexOf("RUN")).isLessThan(indexOf("ENTRYPOINT"));
    }

    @Test
    void jarIsOwnedByRootAndReadOnly() {
        assertThat(instruction("COPY")).contains("--chown=root:root", "--chmod=0444",
                "servery-netty/target/servery-netty.jar ");
    }

    @Test
    void javaIsProcessOneAndStopsByTerm() {
        assertThat(strings(instruction("ENTRYPOINT"))).startsWith("java", "-jar").contains("--config");
        assertThat(instruction("STOPSIGNAL")).isEqualTo("SIGTERM");
        assertThat(instruction("EXPOSE")).isEqualTo("8000");
    }

    @Test
    void contextHoldsTheJarAndItsCacheAlone() throws IOException {
        assertThat(SourceTree.text(".dockerignore").lines()).containsExactly("*",
                "!servery-netty/target/servery-netty.jar", "!servery-netty/target/servery-netty.aot");
    }

    @ParameterizedTest
    @CsvSource({"200 OK, true", "503 Service Unavailable, false"})
    void healthCheckIsTheReadinessOfTheAdminListener(String status, boolean healthy) throws Exception {
        String check = instruction("HEALTHCHECK");
        List<String> command = new ArrayList<>(strings(check.substring(check.indexOf("CMD"))));
        assertThat(command.getLast()).contains("127.0.0.1/9090", "GET /readyz HTTP/1.1");
        try (ServerSocket admin = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            command.addLast(command.removeLast().replace("/9090", "/" + admin.getLocalPort()));
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String request = answer(admin, status);
            assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue() == 0).isEqualTo(healthy);
            assertThat(request).isEqualTo("GET /readyz HTTP/1.1");
        }
    }

    private static String answer(ServerSocket admin, String status) throws IOException {
        try (Socket peer = admin.accept();
                BufferedReader request = new BufferedReader(
                        new InputStreamReader(peer.getInputStream(), StandardCharsets.US_ASCII))) {
            String first = Objects.requireNonNull(request.readLine());
            String line = first;
            while (line != null && !line.isEmpty()) {
                line = request.readLine();
            }
            peer.getOutputStream().write(
                    ("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            return first;
        }
    }

    private int indexOf(String name) {
        for (int at = 0; at < instructions.size(); at++) {
            if (instructions.get(at).startsWith(name + " ")) {
                return at;
            }
        }
        throw new AssertionError("no " + name + " in the Dockerfile");
    }

    private String instruction(String name) {
        return instructions.get(indexOf(name)).substring(name.length() + 1).strip();
    }

    private static List<String> strings(String json) {
        List<String> strings = new ArrayList<>();
        for (Matcher found = STRING.matcher(json); found.find();) {
            strings.add(found.group(1).replaceAll("\\\\(.)", "$1"));
        }
        return strings;
    }
}
