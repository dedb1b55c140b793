package io.servery.netty.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.config.ServeryConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The reader of plain command lines beside picocli, which judges all others: one result whichever reads.
class CommandsTest {
    private static final int LAUNCHED = 42;
    private static final int LINES = 3000;
    private static final List<String> WORDS = List.of("serve", "run", "check", "-c", "--config", "servery.toml", "site",
            "other",
            "--config=servery.toml", "-p", "--port", "8123", "-p8123", "--port=0", "--port=", "-p=9", "-H", "--host",
            "::1",
            "127.0.0.1", "--host=127.0.0.1", "--unix", "a.socket", "-i", "--index", "a.html", "--index=b c.html", "-l",
            "--listing", "--no-listing", "--listing=false", "-a", "--show-hidden", "--no-show-hidden", "-la", "-s",
            "--spa",
            "--no-spa", "--access", "--no-access", "--set", "--set=resources.max_fields=9", "resources.max_fields=7",
            "logging.level = debug", "=1", "x", "", "-", "--", "--unsafe-development-tls",
            "--no-unsafe-development-tls",
            "--nope", "-h", "${x}", "\"quoted\"", "@file", "-1", "+l", "--no-port");

    @TempDir
    Path directory;

    private record Result(int code, String out, String err, List<ServeryConfig> launched, List<StartOptions> options) {
    }

    private interface Reading {
        int execute(ServiceLauncher launcher, Surroundings surroundings, String[] words);
    }

    @BeforeEach
    void site() throws IOException {
        Files.createDirectory(directory.resolve("site"));
        Files.writeString(directory.resolve("servery.toml"), "schema_version = 1\n");
    }

    private Result result(Reading reading, String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        List<ServeryConfig> launched = new ArrayList<>();
        List<StartOptions> options = new ArrayList<>();
        Surroundings surroundings = new Surroundings(new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8), false, false, Map.of("HOME", directory.toString()),
                directory);
        int code = reading.execute((config, start) -> {
            launched.add(config);
            options.add(start);
            return LAUNCHED;
        }, surroundings, words);
        return new Result(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8), launched,
                options);
    }

    private Result byEither(String... words) {
        return result((launcher, surroundings, line) -> new Commands(launcher, surroundings).execute(line), words);
    }

    private Result byPicocli(String... words) {
        return result((launcher, surroundings, line) -> new CommandLineInterface(launcher, surroundings).execute(line),
                words);
    }

    private void same(String... words) {
        Result either = byEither(words);
        Result picocli = byPicocli(words);
        assertThat(either).as("%s", List.of(words)).usingRecursiveComparison().isEqualTo(picocli);
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve", "serve site", "serve site --port 0 --no-access",
            "serve -p 8123 -H ::1 --host 127.0.0.1 site",
            "serve --port=8123 --index=a.html -i b.html -l -a -s --access",
            "serve --no-listing --no-show-hidden --no-spa site",
            "serve --unix a.socket", "serve site --set resources.max_fields=7 --set=logging.level=debug",
            "run -c servery.toml", "run --config=servery.toml --set resources.max_fields=7",
            "-c servery.toml --unsafe-development-tls", "--config servery.toml",
            "--set resources.max_fields=7 -c servery.toml"})
    void plainLinesNeedNoPicocliAndMeanTheSame(String line) {
        String[] words = line.split(" ", -1);
        assertThat(ServingReader.read(words)).isNotNull();
        assertThat(byEither(words).code()).isEqualTo(LAUNCHED);
        same(words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "run", "check -c servery.toml", "serve a b", "serve --help", "serve -p8123",
            "serve -la",
            "serve --port", "serve --port --spa", "serve --spa --spa", "serve --spa --no-spa",
            "serve --port 1 --port 2",
            "serve --spa=true", "serve -- site", "serve -c servery.toml", "run servery.toml",
            "run -c servery.toml --port 1",
            "-c servery.toml run", "-c servery.toml --check-config", "run -c servery.toml --set x", "run -c a -c b"})
    void whateverIsNotPlainIsJudgedByPicocli(String line) {
        String[] words = line.isEmpty() ? new String[0] : line.split(" ", -1);
        assertThat(ServingReader.read(words)).isNull();
        same(words);
    }

    @Test
    void linesOfAnyWordsHaveOneResultWhicheverReads() {
        Random chance = new Random(15);
        int plain = 0;
        for (int line = 0; line < LINES; line++) {
            String[] words = new String[1 + chance.nextInt(6)];
            for (int at = 0; at < words.length; at++) {
                words[at] = WORDS.get(chance.nextInt(at == 0 && chance.nextInt(8) > 0 ? 2 : WORDS.size()));
            }
            // Where the reader says nothing, one and the same code judges.
            if (ServingReader.read(words) != null) {
                plain++;
                same(words);
            }
        }
        assertThat(plain).isGreaterThan(LINES / 50);
    }

    @Test
    void refusedConfigurationIsToldAlike() {
        assertThat(byEither("serve", "gone", "--port", "http").code()).isEqualTo(78);
        same("serve", "gone", "--port", "http");
        same("run", "-c", "gone.toml");
    }

    @Test
    void bugExitsSeventy() {
        Result broken = result((_, surroundings, line) -> new Commands((_, _) -> {
            throw new IllegalStateException("broken");
        }, surroundings).execute(line), "serve", "site");
        assertThat(broken.code()).isEqualTo(70);
        assertThat(broken.err()).startsWith("servery: error: this is a bug in servery\n")
                .contains("IllegalStateException");
    }
}
