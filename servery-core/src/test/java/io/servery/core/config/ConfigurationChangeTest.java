package io.servery.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.control.Order;
import io.servery.core.fault.FaultText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a changed configuration needs: nothing, a push, new workers, or a restart.
class ConfigurationChangeTest {
    @TempDir
    Path directory;

    private Effective effective(String text) {
        return Loaded.in(directory).file(text).env("A", "one").env("B", "two").env("C", "one").accepted().effective();
    }

    private ConfigurationChange change(String before, String after) {
        return ConfigurationChange.between(effective(before), effective(after));
    }

    @Test
    void whatIsWrittenInAnotherWayIsNoChange() {
        assertThat(change("", "")).isEqualTo(new ConfigurationChange.None());
        assertThat(change("[resources]\nmax_head_bytes = \"32KiB\"\n", "# smaller\nresources.max_head_bytes = 32768\n"))
                .isEqualTo(new ConfigurationChange.None());
    }

    @Test
    void hotKeysAloneArePushed() {
        ConfigurationChange change = change("logging.level = \"warn\"\n",
                "[resources]\nmax_connections = 9\nkeepalive_timeout = 5\n");

        assertThat(change).isEqualTo(new ConfigurationChange.Hot(List.of(
                new Order.Setting("resources.max_connections", "9"),
                new Order.Setting("resources.keepalive_timeout", "\"5s\""),
                new Order.Setting("logging.level", "\"info\"")),
                List.of("resources.max_connections",
                        "resources.keepalive_timeout", "logging.level")));
    }

    @Test
    void oneOtherKeyMakesItAGeneration() {
        assertThat(change("", "resources.max_connections = 9\nruntime.workers = 2\n")).isEqualTo(
                new ConfigurationChange.Generation(List.of("runtime.workers", "resources.max_connections")));
    }

    @ParameterizedTest
    @CsvSource({"runtime.workers = 2,runtime.workers", "listener.port = 1,listener.port",
            "resources.file_cache_bytes = 99999999,resources.file_cache_bytes",
            "resources.lanes.compute.threads = 3,resources.lanes.compute.threads",
            "application.static.spa = true,application.static.spa", "metrics.port = 7,metrics.port",
            "listener.backlog = 1,listener.backlog", "logging.access = false,logging.access"})
    void whatAWorkerCannotTakeIsAGeneration(String text, String key) {
        assertThat(change("", text)).isEqualTo(new ConfigurationChange.Generation(List.of(key)));
        assertThat(change(text, "")).isEqualTo(new ConfigurationChange.Generation(List.of(key)));
    }

    @Test
    void addressThatGivesWayToASocketIsAChangeOfAll() {
        assertThat(change("", "listener.unix = \"s\"\n")).isEqualTo(
                new ConfigurationChange.Generation(List.of("listener.host", "listener.port", "listener.unix")));
    }

    @Test
    void restartKeyIsRefusedWithBothValuesAndWhereTheyStand() {
        ConfigurationChange change = change("[runtime]\nuser = \"a\"\n",
                "listener.port = 1\nruntime.user = \"b\"\nruntime.runtime_directory = \"/r\"\n");

        assertThat(change).isInstanceOfSatisfying(ConfigurationChange.Restart.class, restart -> {
            assertThat(restart.keys()).containsExactly("runtime.runtime_directory", "runtime.user");
            assertThat(new FaultText(false).of(restart.faults())).isEqualTo("""
                    servery.toml:3:9: error: `runtime.user`: found "b"; expected "a", which the service runs with \
                    (servery.toml:3)
                       3 | runtime.user = "b"
                         |         ^^^^
                       stop the service and start it again to change this
                    servery.toml:4:9: error: `runtime.runtime_directory`: found "/r"; expected none, which the service \
                    runs with (profile local)
                       4 | runtime.runtime_directory = "/r"
                         |         ^^^^^^^^^^^^^^^^^
                       stop the service and start it again to change this
                    """);
        });
    }

    @Test
    void restartKeyThatIsTakenOutIsRefusedForTheWholeFile() {
        assertThat(change("runtime.group = \"g\"\n", "")).isInstanceOfSatisfying(ConfigurationChange.Restart.class,
                restart -> assertThat(new FaultText(false).of(restart.faults())).startsWith(
                        "servery.toml: error: `runtime.group`: found none; expected \"g\", which the service runs"));
    }

    @Test
    void mountsCountInTheirOrder() throws Exception {
        Files.createDirectory(directory.resolve("a"));
        String mount = "[[mount]]\npath = \"/a/\"\n";
        String other = "[[mount]]\npath = \"/b/\"\nroot = \"a\"\n";

        assertThat(change(mount, mount)).isEqualTo(new ConfigurationChange.None());
        assertThat(change("", mount)).isEqualTo(new ConfigurationChange.Generation(List.of("mount")));
        assertThat(change(mount + other, mount)).isEqualTo(new ConfigurationChange.Generation(List.of("mount")));
        assertThat(change(mount, mount + "listing = false\n"))
                .isEqualTo(new ConfigurationChange.Generation(List.of("mount.listing")));
        assertThat(change(mount + other, other + mount))
                .isEqualTo(new ConfigurationChange.Generation(List.of("mount.path", "mount.root")));
    }

    @Test
    void secretIsComparedByItsValueAndNeverShown() {
        String before = "metrics = { enabled = true, token = { env = \"A\" } }\n";

        assertThat(change(before, before.replace("\"A\"", "\"C\""))).isEqualTo(new ConfigurationChange.None());
        ConfigurationChange change = change(before, before.replace("\"A\"", "\"B\""));
        assertThat(change).isEqualTo(new ConfigurationChange.Generation(List.of("metrics.token")));
        assertThat(change.toString()).doesNotContain("one").doesNotContain("two");
    }

    @Test
    void hotAreTheLimitsOfConnectionsAndTheLevelOfEvents() {
        List<String> hot = new ArrayList<>();
        KeyTable.single().forEach(key -> {
            if (key.isPushed()) {
                hot.add(key.path());
            }
        });
        assertThat(hot).containsExactly("resources.max_connections", "resources.max_connections_per_client",
                "resources.max_requests_per_connection", "resources.max_head_bytes", "resources.max_fields",
                "resources.max_target_bytes", "resources.max_request_body", "resources.keepalive_drain_limit",
                "resources.handshake_timeout", "resources.request_head_timeout", "resources.request_body_timeout",
                "resources.request_body_rate", "resources.write_timeout", "resources.keepalive_timeout",
                "logging.level");
    }
}
