package io.servery.netty.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.config.RuntimeDirectory;
import io.servery.core.control.Decoded;
import io.servery.core.operator.OperatorReply;
import io.servery.core.operator.OperatorRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The commands that speak to a running parent: where they find it, what they ask, what they print and exit with.
class OperatorCommandsTest {
    @TempDir
    Path directory;

    private final Map<String, String> environment = new HashMap<>();
    private final List<OperatorRequest> asked = new CopyOnWriteArrayList<>();
    private ServerSocketChannel server;
    private Thread parent;
    private String out = "";
    private String err = "";

    @BeforeEach
    void surroundings() throws IOException {
        environment.put("HOME", directory.toString());
        environment.put("XDG_RUNTIME_DIR", directory.toString());
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        parent = Thread.ofPlatform().unstarted(() -> {
        });
    }

    @AfterEach
    void close() throws Exception {
        server.close();
        parent.join();
    }

    /// A parent that gives one answer.
    private void parent(Path runtime, OperatorReply reply) throws IOException {
        RuntimeDirectory.claimAbove(runtime, RuntimeDirectory.Host.of(environment));
        Files.createDirectories(runtime);
        server.bind(UnixDomainSocketAddress.of(runtime.resolve(RuntimeDirectory.OPERATOR_SOCKET)));
        parent = Thread.ofPlatform().start(() -> {
            try (SocketChannel channel = server.accept()) {
                ByteBuffer bytes = ByteBuffer.allocate(OperatorRequest.BYTES_MAX);
                while (asked.isEmpty()) {
                    channel.read(bytes);
                    if (OperatorRequest.decode(
                            bytes.duplicate()
                                    .flip()) instanceof Decoded.Complete<OperatorRequest>(OperatorRequest one)) {
                        asked.add(one);
                    }
                }
                channel.write(ByteBuffer.wrap(reply.encode()));
            } catch (IOException _) {
                // The test has ended.
            }
        });
    }

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("servery.toml"), text);
    }

    private Path runtime(Path file) throws IOException {
        return RuntimeDirectory.ofFile(Optional.empty(), file, RuntimeDirectory.Host.of(environment));
    }

    private int execute(String... words) {
        ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
        ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
        Surroundings surroundings = new Surroundings(new PrintStream(outBytes, true, StandardCharsets.UTF_8),
                new PrintStream(errBytes, true, StandardCharsets.UTF_8), false, false, environment, directory);
        int code = new CommandLineInterface((_, _) -> {
            throw new IllegalStateException("nothing is started");
        }, surroundings).execute(words);
        out = outBytes.toString(StandardCharsets.UTF_8);
        err = errBytes.toString(StandardCharsets.UTF_8);
        return code;
    }

    @ParameterizedTest
    @CsvSource({"status,status", "status --json,status json", "status --ready,ready",
            "status --ready --json,ready json", "reload,reload", "rollback,rollback", "drain,drain", "stop,stop"})
    void commandAsksTheParentOfItsFile(String words, String line) throws IOException {
        Path file = file("schema_version = 1\n");
        parent(runtime(file), new OperatorReply(3, "said ü\n", "and warned\n"));

        assertThat(execute((words + " --config servery.toml").split(" ", -1))).isEqualTo(3);
        assertThat(out).isEqualTo("said ü\n");
        assertThat(err).isEqualTo("and warned\n");
        assertThat(new String(asked.getFirst().encode(), StandardCharsets.UTF_8)).isEqualTo("servery/1 " + line + "\n");
    }

    @Test
    void configuredDirectoryIsWhereTheParentIs() throws IOException {
        file("schema_version = 1\nruntime.runtime_directory = \"r\"\n");
        parent(directory.resolve("r"), new OperatorReply(0, "ok\n", ""));

        assertThat(execute("status", "-c", "servery.toml")).isZero();
        assertThat(out).isEqualTo("ok\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"runtime.runtime_directory = \"r\"\nlistener.port = -1\n",
            "schema_version = 1\nruntime.runtime_directory = \"r\"\nmetrics.token = { env = \"NOT_HERE\" }\n"})
    void serviceOfAFileThatIsInvalidNowCanBeStopped(String text) throws IOException {
        file(text);
        parent(directory.resolve("r"), new OperatorReply(0, "stopped\n", ""));

        assertThat(execute("stop", "--config", "servery.toml")).isZero();
        assertThat(out).isEqualTo("stopped\n");
        assertThat(err).isEmpty();
    }

    @Test
    void serviceOfAFileThatIsGoneCanBeStopped() throws IOException {
        Path file = file("schema_version = 1\n");
        Path runtime = runtime(file);
        Files.delete(file);
        parent(runtime, new OperatorReply(0, "stopped\n", ""));

        assertThat(execute("stop", "--config", "servery.toml")).isZero();
        assertThat(out).isEqualTo("stopped\n");
    }

    @Test
    void runtimeDirectoryNeedsNoFile() throws IOException {
        parent(directory.resolve("r"), new OperatorReply(0, "ok\n", ""));

        assertThat(execute("drain", "--runtime-directory", "r")).isZero();
        assertThat(asked).hasSize(1);
    }

    @Test
    void withoutAParentTheDirectoryIsNamed() throws IOException {
        Path file = file("schema_version = 1\n");

        assertThat(execute("status", "--config", "servery.toml")).isEqualTo(69);
        assertThat(err).isEqualTo(runtime(file) + ": error: found no runtime directory; expected that of a running"
                + " service\n");
        Files.createDirectory(directory.resolve("r"));
        assertThat(execute("status", "--runtime-directory", "r")).isEqualTo(69);
        assertThat(err).isEqualTo("operator socket " + directory.resolve("r/operator.sock")
                + ": error: found no socket; expected that of the parent of a service\n");
    }

    @Test
    void invalidFileWithoutAParentIsMentioned() throws IOException {
        file("not TOML\n");

        assertThat(execute("stop", "--config", "servery.toml")).isEqualTo(69);
        assertThat(err).contains("found no runtime directory").endsWith(
                """
                           servery.toml is no valid configuration now (`check` says why); --runtime-directory names the directory \
                        of a service that runs
                        """);
    }

    @Test
    void directoryThatOthersCanWriteIntoIsNotTrusted() throws IOException {
        Path open = Files.createDirectory(directory.resolve("r"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThat(execute("stop", "--runtime-directory", "r")).isEqualTo(77);
        assertThat(err).startsWith("servery: error: " + open + ": found something of user ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "stop", "reload --json", "status --config", "drain now --runtime-directory r"})
    void wordsThatAreWrongAreUsage(String words) {
        assertThat(execute(words.split(" ", -1))).isEqualTo(2);
        assertThat(err).startsWith("servery: error: ").contains("--help` shows what is possible");
        assertThat(out).isEmpty();
    }

    @Test
    void helpSaysWhatEachDoes() {
        assertThat(execute("--help")).isZero();
        assertThat(out).contains("status", "reload", "rollback", "drain", "stop", "renew").doesNotContain("logs");
        assertThat(execute("reload", "--help")).isZero();
        assertThat(out).contains("--runtime-directory", "--config", "Apply the configuration anew");
    }
}
