package io.servery.interop;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/// One run of the packaged jar, with a configuration of its own, from start to end.
public final class ServeryProcess implements AutoCloseable {
    public static final Path JAR = Path.of("..", "servery-netty", "target", "servery-netty.jar").toAbsolutePath()
            .normalize();
    private static final Duration START = Duration.ofSeconds(30);
    private static final int EXIT_CANNOT_BIND = 69;
    private static final int TRIES = 5;

    private final Process process;
    private final int port;
    private final int adminPort;
    private final Path output;
    private final Path errors;

    private ServeryProcess(Process process, int port, int adminPort, Path output, Path errors) {
        this.process = process;
        this.port = port;
        this.adminPort = adminPort;
        this.output = output;
        this.errors = errors;
    }

    /// What a server is started with: the folder for its files, its site, and lines of TOML.
    ///
    /// @param tables lines by table, added to those that every server gets
    /// @param prefix a command that runs the server, such as one that drops privileges
    record Settings(Path folder, Path root, Map<String, String> tables, List<String> prefix) {
        static Settings of(Path folder, Path root) {
            return new Settings(folder, root, Map.of(), List.of());
        }

        Settings resources(String lines) {
            return with("resources", lines);
        }

        Settings runtime(String lines) {
            return with("runtime", lines);
        }

        Settings files(String lines) {
            return with("files", lines);
        }

        /// Whole tables, after `[application.static]`.
        Settings more(String lines) {
            return with("more", lines);
        }

        Settings prefix(String... command) {
            return new Settings(folder, root, tables, List.of(command));
        }

        private Settings with(String table, String lines) {
            var changed = new HashMap<>(tables);
            changed.put(table, lines);
            return new Settings(folder, root, Map.copyOf(changed), prefix);
        }

        private String lines(String table) {
            return tables.getOrDefault(table, "");
        }

        String toml(int port, int adminPort) {
            return """
                    schema_version = 1
                    profile = "local"
                    [runtime]
                    %s
                    [listener]
                    host = "127.0.0.1"
                    port = %d
                    [resources]
                    %s
                    [metrics]
                    enabled = true
                    host = "127.0.0.1"
                    port = %d
                    [application]
                    mode = "static"
                    [application.static]
                    root = "%s"
                    %s
                    %s
                    """.formatted(lines("runtime"), port, lines("resources"), adminPort, root, lines("files"),
                    lines("more"));
        }
    }

    /// Starts a server and waits until it answers; picks other ports when somebody else took the chosen ones meanwhile.
    static ServeryProcess start(Settings settings) {
        for (int attempt = 1;; attempt++) {
            ServeryProcess server = launch(settings, freePort(), freePort());
            if (server.becomesReady()) {
                return server;
            }
            int code = server.process.exitValue();
            if (code != EXIT_CANNOT_BIND || attempt == TRIES) {
                throw new AssertionError(
                        "the server ended with " + code + " instead of serving:\n" + server.errorText());
            }
        }
    }

    /// Starts a server without waiting for anything.
    static ServeryProcess launch(Settings settings, int port, int adminPort) {
        try {
            Files.createDirectories(settings.folder());
            Path file = Files.createTempFile(settings.folder(), "servery", ".toml");
            Files.writeString(file, settings.toml(port, adminPort));
            // A server that runs as somebody else has to read it.
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
            return launch(settings, file, port, adminPort);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ServeryProcess launch(Settings settings, Path configuration, int port, int adminPort)
            throws IOException {
        if (!Files.isRegularFile(JAR)) {
            throw new IllegalStateException(JAR.getFileName()
                    + " does not exist; expected it packaged (mvn package builds it before these tests run)");
        }
        var command = new ArrayList<>(settings.prefix());
        command.addAll(List.of(java(), "-jar", JAR.toString(), "--config", configuration.toString()));
        Path folder = settings.folder();
        Path output = Files.createTempFile(folder, "output", ".log");
        Path errors = Files.createTempFile(folder, "errors", ".log");
        var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        builder.environment().put("XDG_STATE_HOME", folder.resolve("state").toString());
        Process process = builder.start();
        process.getOutputStream().close();
        return new ServeryProcess(process, port, adminPort, output, errors);
    }

    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    public static int freePort() {
        return FreePorts.next();
    }

    private boolean becomesReady() {
        Awaitility.await("an answering server").atMost(START).pollInterval(Duration.ofMillis(20))
                .until(() -> !process.isAlive() || ready());
        return process.isAlive();
    }

    /// Whether the admin listener says that the service is ready.
    boolean ready() {
        return adminStatus("/readyz") == 200;
    }

    /// The status that the admin listener answers with; 0 when it does not answer.
    int adminStatus(String path) {
        return admin(path) instanceof Answer answer ? answer.status() : 0;
    }

    private Heard admin(String path) {
        try (WireConnection connection = WireConnection.open(adminPort)) {
            connection.send(
                    "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + adminPort + "\r\nConnection: close\r\n\r\n");
            return connection.hear();
        } catch (UncheckedIOException e) {
            return Heard.Ending.RESET;
        }
    }

    /// The value of one series of `/metrics`, summed over those whose text begins with `series`; 0 when there is none.
    double metric(String series) {
        if (!(admin("/metrics") instanceof Answer answer)) {
            throw new AssertionError("/metrics does not answer");
        }
        return answer.text().lines().filter(line -> line.startsWith(series))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))).sum();
    }

    WireConnection connect() {
        return WireConnection.open(port);
    }

    /// One request on a connection of its own, which must be answered.
    Answer get(String target) {
        try (WireConnection connection = connect()) {
            return connection.get(target).answer();
        }
    }

    int port() {
        return port;
    }

    int adminPort() {
        return adminPort;
    }

    long pid() {
        return process.pid();
    }

    boolean alive() {
        return process.isAlive();
    }

    /// The processes that serve: the children of the one that was started.
    List<Long> workerPids() {
        return new OsProcess(pid()).children().stream().filter(OsProcess::runs).map(OsProcess::pid).toList();
    }

    /// The process that serves, where there is one.
    OsProcess worker() {
        List<Long> pids = workerPids();
        if (pids.size() != 1) {
            throw new AssertionError("expected one worker, found " + pids + ":\n" + errorText());
        }
        return new OsProcess(pids.getFirst());
    }

    /// Sends a signal by its name.
    void signal(String name) {
        new OsProcess(pid()).signal(name);
    }

    /// Sends TERM, as a service manager does; does not wait.
    void terminate() {
        process.destroy();
    }

    /// The exit code, which must come within this time.
    int exitCode(Duration within) {
        try {
            if (!process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("the server still runs after " + within + ":\n" + errorText());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    String errorText() {
        return read(errors);
    }

    String outputText() {
        return read(output);
    }

    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        exitCode(Duration.ofSeconds(10));
    }
}
