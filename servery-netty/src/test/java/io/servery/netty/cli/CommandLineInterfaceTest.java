package io.servery.netty.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.config.Endpoint;
import io.servery.core.config.ServeryConfig;
import io.servery.core.config.StaticFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The command line of the configuration page: commands, exit codes, what is printed where.
class CommandLineInterfaceTest {
    private static final String VALID = "schema_version = 1\n";
    private static final int LAUNCHED = 42;

    @TempDir
    Path directory;

    private final Map<String, String> environment = new HashMap<>();
    private final List<ServeryConfig> launched = new ArrayList<>();
    private final List<StartOptions> options = new ArrayList<>();
    private boolean terminal;
    private String out = "";
    private String err = "";

    private int execute(String... words) {
        return execute((config, start) -> {
            launched.add(config);
            options.add(start);
            return LAUNCHED;
        }, words);
    }

    private int execute(ServiceLauncher launcher, String... words) {
        ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
        ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
        environment.putIfAbsent("HOME", directory.toString());
        Surroundings surroundings = new Surroundings(stream(outBytes), stream(errBytes), terminal, terminal,
                environment, directory);
        int code = new CommandLineInterface(launcher, surroundings).execute(words);
        out = outBytes.toString(StandardCharsets.UTF_8);
        err = errBytes.toString(StandardCharsets.UTF_8);
        return code;
    }

    @Test
    void outputThatCannotBeWrittenIsAFailure() {
        ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
        PrintStream full = new PrintStream(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        }, true, StandardCharsets.UTF_8);
        Surroundings surroundings = new Surroundings(full, stream(errBytes), false, false,
                Map.of("HOME", directory.toString()), directory);
        assertThat(new CommandLineInterface((_, _) -> 0, surroundings).execute("version")).isEqualTo(1);
        assertThat(errBytes.toString(StandardCharsets.UTF_8)).startsWith("servery: standard output: ");
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private void write(String text) throws IOException {
        Files.writeString(directory.resolve("servery.toml"), text);
    }

    // run

    @ParameterizedTest
    @ValueSource(strings = {"--config servery.toml", "-c servery.toml", "run --config servery.toml"})
    void fileAloneIsServed(String words) throws IOException {
        write(VALID);
        assertThat(execute(words.split(" ", -1))).isEqualTo(LAUNCHED);
        assertThat(launched).extracting(ServeryConfig::application).extracting(files -> ((StaticFiles) files).root())
                .containsExactly(directory);
        assertThat(options.getFirst().file()).contains(Path.of("servery.toml"));
        assertThat(out + err).isEmpty();
    }

    @Test
    void setOverridesTheEnvironmentWhichOverridesTheFile() throws IOException {
        write(VALID + "listener.port = 1\nresources.max_fields = 1\n");
        environment.put("SERVERY__LISTENER__PORT", "2");
        environment.put("SERVERY__RESOURCES__MAX_FIELDS", "2");
        assertThat(execute("run", "-c", "servery.toml", "--set", "listener.port=3")).isEqualTo(LAUNCHED);
        assertThat(launched.getFirst().listener().endpoint()).isEqualTo(new Endpoint.Tcp(List.of("127.0.0.1"), 3));
        assertThat(launched.getFirst().resources().maxFields()).isEqualTo(2);
        assertThat(options.getFirst().effective().origin("listener.port")).contains("--set");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "run", "check", "config", "--check-config", "--nope", "run --nope", "nope", "run extra",
            "run --config", "run -c x --set port", "run -c x --set =1", "serve a b", "version x", "init a b",
            "-c x --check-config --print-effective-config", "run -c x -c y"})
    void usageErrorsExitTwoAndSayWhere(String words) {
        assertThat(execute(words.isEmpty() ? new String[0] : words.split(" ", -1))).isEqualTo(2);
        assertThat(out).isEmpty();
        assertThat(err).startsWith("servery: error: ").contains("--help` shows what is possible");
        assertThat(launched).isEmpty();
    }

    @Test
    void misspeltCommandIsSuggested() {
        assertThat(execute("chekc")).isEqualTo(2);
        assertThat(err).contains("did you mean").contains("check");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h", "run --help", "serve -h", "check --help", "config --help", "init --help",
            "version --help", "completion --help"})
    void helpGoesToStandardOutputAndExitsZero(String words) {
        assertThat(execute(words.split(" ", -1))).isZero();
        assertThat(out).startsWith("Usage: servery").doesNotContain("\u001b").contains("--help");
        assertThat(err).isEmpty();
    }

    @Test
    void helpNamesTheCommands() {
        execute("--help");
        assertThat(out).contains("run", "serve", "check", "config", "init", "version", "completion", "Exit codes");
    }

    @Test
    void bugExitsSeventy() throws IOException {
        write(VALID);
        assertThat(execute((_, _) -> {
            throw new IllegalStateException("broken");
        }, "-c", "servery.toml")).isEqualTo(70);
        assertThat(err).startsWith("servery: error: this is a bug in servery\n").contains("IllegalStateException");
    }

    // A configuration that is refused

    @ParameterizedTest
    @ValueSource(strings = {"run -c servery.toml", "check -c servery.toml", "config -c servery.toml",
            "-c servery.toml --check-config", "-c servery.toml --print-effective-config"})
    void refusedConfigurationExitsSeventyEightAndLeavesNothing(String words) throws IOException {
        write(VALID + "listner.port = 8080\nlistener.port = \"x\"\n");
        List<Path> before = files();
        assertThat(execute(words.split(" ", -1))).isEqualTo(78);
        assertThat(out).isEmpty();
        assertThat(err).isEqualTo("""
                servery.toml:2:1: error: unknown key `listner.port`
                   2 | listner.port = 8080
                     | ^^^^^^^
                   did you mean `listener.port`?
                servery.toml:3:17: error: `listener.port`: found "x"; expected a whole number from 0 to 65535
                   3 | listener.port = "x"
                     |                 ^^^
                """);
        assertThat(launched).isEmpty();
        assertThat(files()).isEqualTo(before);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> walk = Files.walk(directory)) {
            return walk.sorted().toList();
        }
    }

    @Test
    void missingFileExitsSeventyEightAndNamesIt() {
        assertThat(execute("--config", "gone.toml")).isEqualTo(78);
        assertThat(err).startsWith("gone.toml: error: found no such file");
    }

    @Test
    void colourIsForTerminalsWithoutNoColor() throws IOException {
        write("x = 1\n");
        execute("check", "-c", "servery.toml");
        assertThat(err).doesNotContain("\u001b");
        terminal = true;
        execute("check", "-c", "servery.toml");
        assertThat(err).contains("\u001b[1;31merror:\u001b[0m");
        environment.put("NO_COLOR", "1");
        execute("check", "-c", "servery.toml");
        assertThat(err).doesNotContain("\u001b");
        environment.put("NO_COLOR", "");
        environment.put("TERM", "dumb");
        execute("check", "-c", "servery.toml");
        assertThat(err).doesNotContain("\u001b");
    }

    // Production

    @Test
    void productionWithoutTlsNeedsTheLoudOverride() throws IOException {
        write(VALID + "profile = \"production\"\n");
        assertThat(execute("-c", "servery.toml")).isEqualTo(78);
        assertThat(err).contains("--unsafe-development-tls runs production without TLS");
        assertThat(execute("-c", "servery.toml", "--unsafe-development-tls")).isEqualTo(LAUNCHED);
        assertThat(err.lines()).singleElement().asString().startsWith("warning: --unsafe-development-tls");
        assertThat(options.getFirst().unsafeDevelopmentTls()).isTrue();
    }

    // serve

    @Test
    void directoryIsServedWithoutAFile() throws IOException {
        Path site = Files.createDirectory(directory.resolve("site"));
        assertThat(execute("serve", "site", "--port", "0", "--host", "::1", "--host", "127.0.0.1", "--no-listing",
                "--spa", "-a", "-i", "a.html", "--no-access", "--set", "resources.max_fields=7")).isEqualTo(LAUNCHED);
        ServeryConfig config = launched.getFirst();
        assertThat(config.listener().endpoint()).isEqualTo(new Endpoint.Tcp(List.of("::1", "127.0.0.1"), 0));
        StaticFiles files = (StaticFiles) config.application();
        assertThat(files.root()).isEqualTo(site);
        assertThat(files.listing()).isFalse();
        assertThat(files.spa()).isTrue();
        assertThat(files.showHidden()).isTrue();
        assertThat(files.index()).containsExactly("a.html");
        assertThat(config.logging().access()).isFalse();
        assertThat(config.resources().maxFields()).isEqualTo(7);
        assertThat(options.getFirst().file()).isEmpty();
        assertThat(options.getFirst().effective().origin("listener.port")).contains("--port");
    }

    @Test
    void workingDirectoryIsServedWhenNoneIsNamed() {
        assertThat(execute("serve")).isEqualTo(LAUNCHED);
        assertThat(((StaticFiles) launched.getFirst().application()).root()).isEqualTo(directory);
        assertThat(((StaticFiles) launched.getFirst().application()).listing()).isTrue();
    }

    @Test
    void directoryThatIsMissingExitsSeventyEightAndIsNamed() {
        assertThat(execute("serve", "gone")).isEqualTo(78);
        assertThat(err).startsWith("serve: error: `application.static.root`: found nothing at ").contains("/gone");
    }

    @Test
    void badFlagOfServeIsNamedAsItWasTyped() {
        assertThat(execute("serve", "--port", "http", "--host", "a b")).isEqualTo(78);
        assertThat(err).contains("--port: error: `listener.port`: found \"http\"")
                .contains("--host: error: `listener.host`: found \"a b\"");
    }

    // check and config

    @ParameterizedTest
    @ValueSource(strings = {"check -c servery.toml", "--config servery.toml --check-config"})
    void checkSaysValidOnStandardOutput(String words) throws IOException {
        write(VALID);
        assertThat(execute(words.split(" ", -1))).isZero();
        assertThat(out).isEqualTo("servery.toml: valid\n");
        assertThat(err).isEmpty();
        assertThat(launched).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"config -c servery.toml", "--config servery.toml --print-effective-config"})
    void configPrintsAFileWithOrigins(String words) throws IOException {
        write(VALID + "[resources]\nmax_connections = 2048\n");
        assertThat(execute(words.split(" ", -1))).isZero();
        assertThat(out).startsWith("schema_version = 1\n")
                .contains("resources.max_connections = 2048  # servery.toml:3\n");
        write(out);
        String first = out.replaceAll("  #.*", "");
        execute("config", "-c", "servery.toml");
        assertThat(out.replaceAll("  #.*", "")).isEqualTo(first);
    }

    // init, version, completion, and what comes later

    @Test
    void initWritesAFileThatIsValid() {
        assertThat(execute("init")).isZero();
        assertThat(out).isEqualTo("wrote servery.toml\n");
        assertThat(directory).isDirectoryContaining("glob:**/servery.toml").isDirectoryContaining("glob:**/public");
        assertThat(directory.toFile().list()).hasSize(2);
        assertThat(execute("check", "-c", "servery.toml")).isZero();
    }

    @Test
    void initNeverWritesOverAFile() throws IOException {
        write("mine");
        assertThat(execute("init")).isEqualTo(1);
        assertThat(err).startsWith("servery.toml: error: found a file already");
        assertThat(directory.resolve("servery.toml")).hasContent("mine");
        assertThat(directory.toFile().list()).hasSize(1);
        Files.delete(directory.resolve("servery.toml"));
        Files.createSymbolicLink(directory.resolve("servery.toml"), Path.of("gone"));
        assertThat(execute("init")).isEqualTo(1);
    }

    @Test
    void initThatFailsLeavesNothing() throws IOException {
        assertThat(execute("init", "gone/servery.toml")).isEqualTo(1);
        Files.writeString(directory.resolve("public"), "a file in the way");
        assertThat(execute("init")).isEqualTo(1);
        assertThat(directory.toFile().list()).containsExactly("public");
    }

    @ParameterizedTest
    @ValueSource(strings = {"version", "--version", "-V"})
    void versionNamesServeryJavaAndNetty(String words) {
        assertThat(execute(words)).isZero();
        assertThat(out).matches("servery \\S+\njava 2[5-9]\\S*\nnetty 4\\.2\\.\\S+\n");
    }

    @Test
    void completionIsAScriptThatBashReads() throws Exception {
        assertThat(execute("completion")).isZero();
        assertThat(out).startsWith("#!/usr/bin/env bash").contains("servery", "serve", "listener.port=");
        Path script = Files.writeString(directory.resolve("script"), out);
        Process bash = new ProcessBuilder("bash", "-n", script.toString()).redirectErrorStream(true).start();
        assertThat(bash.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(bash.exitValue()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"logs", "logs reopen"})
    void commandsOfLaterAreNotYetAvailable(String words) {
        assertThat(execute(words.split(" ", -1))).isEqualTo(2);
        assertThat(err).endsWith(": error: not yet available\n");
        assertThat(out).isEmpty();
    }
}
