package io.servery.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.servery.core.control.Order;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The configuration on its way to a worker.
class WorkerConfigurationTest {
    @TempDir
    Path directory;

    private Loaded full;

    @BeforeEach
    void fullConfiguration() throws Exception {
        Files.createFile(directory.resolve("e"));
        full = Loaded.in(directory).env("T", "secret-value").file("""
                metrics = { enabled = true, token = { env = "T" } }
                runtime = { worker_max_age_jitter = 0.0001, user = "web", worker_heap = 16777217 }
                [application.static]
                cache_max_age = "1500ms"
                index = []
                immutable = ["**/*.js", "a,b] }"]
                headers = { "X" = "\\"\\\\ü = x", "Y" = "" }
                error_pages = { "404" = "e", "500" = "e" }
                [[mount]]
                path = "/a/"
                [[mount]]
                spa = true
                """);
    }

    private static ServeryConfig withoutMetrics(ServeryConfig config) {
        return new ServeryConfig(config.profile(), config.runtime(), config.listener(), config.tls(),
                config.resources(), config.logging(), new Metrics.Off(), config.application(), config.mounts());
    }

    private String text() {
        return full.accepted().effective().workerText();
    }

    @Test
    void workerHasTheValuesOfTheParentWithoutTheAdminListener() {
        assertThat(WorkerConfiguration.read(text()).config()).isEqualTo(withoutMetrics(full.config()));
    }

    @Test
    void productionNeedsNoneOfItsRulesAgain() {
        Loaded production = Loaded.in(directory).file("profile = \"production\"\n").unsafeDevelopmentTls();
        String text = production.accepted().effective().workerText();

        assertThat(WorkerConfiguration.read(text).config()).isEqualTo(withoutMetrics(production.config()));
        assertThat(production.outcome()).isInstanceOf(Outcome.Accepted.class);
    }

    @Test
    void socketsNeedNoAddress() {
        for (String listener : List.of("unix = \"s\"", "inherit = \"http\"")) {
            Loaded loaded = Loaded.in(directory).file("listener." + listener + "\n");
            assertThat(WorkerConfiguration.read(loaded.accepted().effective().workerText()).config())
                    .isEqualTo(loaded.config());
        }
    }

    @Test
    void textIsAConfigurationFileOfItsOwnWithoutSecretsAndRelativePaths() {
        assertThat(text()).doesNotContain("metrics").doesNotContain("secret-value").doesNotContain("env")
                .contains("application.static.root = \"" + directory + "\"\n").contains("runtime.user = \"web\"\n");
        assertThat(Loaded.in(Path.of("/")).wholeFile(text()).config()).isEqualTo(withoutMetrics(full.config()));
        assertThat(text().getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(8_192);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "listener.port = 8000|listener.port =  8000|`listener.port =  8000`",
            "listener.port = 8000|listener.port=8000|line",
            "listener.port = 8000|listener.port = 8000\\nlistener.port = 8000|each once",
            "listener.port = 8000|listener.prot = 8000|`listener.prot`",
            "listener.port = 8000|listener.port = 70000|a whole number from 0 to 65535",
            "listener.port = 8000|listener.port = +8000|`listener.port = +8000`",
            "listener.port = 8000\\n||no `listener.port`", "profile = \"local\"\\n||no `profile`",
            "schema_version = 1\\n||no `schema_version`",
            "profile = \"local\"|metrics.port = 1|`metrics.port`",
            "profile = \"local\"|metrics.token = { env = \"T\" }|`metrics.token`",
            "listener.backlog = 4096|listener.http2 = true|`listener.http2`",
            "\"32KiB\"|32768|as this build writes it", "runtime.user = \"web\"|runtime.user = 'web'|`runtime.user",
            "[[mount]]|[mount]|``", "mount|[[other]]|``", "spa = true|spa = true # yes|spa"})
    void whatThisBuildWouldNotWriteIsRefused(String found, String replaced, String words) {
        String broken = text().replaceFirst(java.util.regex.Pattern.quote(found.replace("\\n", "\n")),
                java.util.regex.Matcher.quoteReplacement(replaced == null ? "" : replaced.replace("\\n", "\n")));

        assertThat(broken).isNotEqualTo(text());
        assertThatIllegalArgumentException().isThrownBy(() -> WorkerConfiguration.read(broken))
                .withMessageStartingWith("worker configuration: line ").withMessageContaining(words);
    }

    @Test
    void relativePathIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorkerConfiguration
                        .read(text().replaceFirst("root = \"[^\"]*\"", "root = \"files\"")))
                .withMessageContaining("`application.static.root = \"files\"`");
    }

    @Test
    void textThatIsCutOffIsRefused() {
        String text = text();
        assertThatIllegalArgumentException().isThrownBy(() -> WorkerConfiguration.read(""));
        for (int length = 1; length < text.length(); length += 97) {
            String cut = text.substring(0, length);
            assertThatIllegalArgumentException().isThrownBy(() -> WorkerConfiguration.read(cut))
                    .withMessageStartingWith("worker configuration: line ");
        }
    }

    @Test
    void pushedValuesHoldOverTheOthers() {
        WorkerConfiguration before = WorkerConfiguration.read(text());
        WorkerConfiguration after = before.with(List.of(new Order.Setting("resources.max_connections", "7"),
                new Order.Setting("resources.keepalive_timeout", "\"250ms\""),
                new Order.Setting("logging.level", "\"debug\"")));

        assertThat(after.config().resources().maxConnections()).isEqualTo(7);
        assertThat(after.config().resources().keepaliveTimeout()).isEqualTo(Duration.ofMillis(250));
        assertThat(after.config().logging().level()).isEqualTo(Logging.Level.DEBUG);
        assertThat(after.config().mounts()).isEqualTo(before.config().mounts());
        assertThat(before.config()).isEqualTo(withoutMetrics(full.config()));
    }

    @Test
    void whatAChangePushesMakesTheNewConfiguration() {
        Loaded later = Loaded.in(directory).file("[resources]\nmax_fields = 5\nwrite_timeout = 0.25\n");
        Effective before = Loaded.in(directory).accepted().effective();
        ConfigurationChange change = ConfigurationChange.between(before, later.accepted().effective());

        assertThat(change).isInstanceOfSatisfying(ConfigurationChange.Hot.class,
                hot -> assertThat(WorkerConfiguration.read(before.workerText()).with(hot.settings()).config())
                        .isEqualTo(later.config()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"runtime.workers", "resources.file_cache_bytes", "metrics.token", "no.key", "mount.path",
            "resources.max_h2_streams"})
    void onlyHotKeysArePushed(String key) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorkerConfiguration.read(text()).with(List.of(new Order.Setting(key, "1"))))
                .withMessageContaining("pushed").withMessageContaining(key);
    }

    @Test
    void pushedValueIsHeldToItsType() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorkerConfiguration.read(text())
                        .with(List.of(new Order.Setting("resources.max_connections", "0"))))
                .withMessageContaining("pushed").withMessageContaining("from 1 to 1000000");
    }
}
