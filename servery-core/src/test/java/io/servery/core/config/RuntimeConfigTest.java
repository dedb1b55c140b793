package io.servery.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The table `[runtime]`, and the socket that somebody else bound.
class RuntimeConfigTest {
    @TempDir
    Path directory;

    private Loaded loaded() {
        return Loaded.in(directory);
    }

    @Test
    void everyKeyOfTheTableIsRead() {
        RuntimeConfig runtime = loaded().file("""
                [runtime]
                workers = 3
                minimum_workers = 2
                event_loops = 4
                transport = "nio"
                drain_timeout = 1
                force_timeout = 2
                start_timeout = 3
                restart_backoff_initial = "1ms"
                restart_backoff_max = "2ms"
                worker_restart_limit = 7
                worker_restart_window = 8
                worker_max_age = "1h"
                worker_max_age_jitter = 0.5
                max_requests_per_worker = 9
                hang_timeout = 4
                worker_heap = "64MiB"
                worker_direct_memory = "32MiB"
                state_directory = "s"
                runtime_directory = "/r"
                user = "web"
                group = "www"
                """).config().runtime();

        assertThat(runtime).isEqualTo(new RuntimeConfig(OptionalInt.of(3), OptionalInt.of(2), OptionalInt.of(4),
                RuntimeConfig.Transport.NIO, Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(3),
                new RuntimeConfig.Restarts(Duration.ofMillis(1), Duration.ofMillis(2), 7, Duration.ofSeconds(8)),
                new RuntimeConfig.Recycling(Duration.ofHours(1), 0.5, 9), Duration.ofSeconds(4),
                new RuntimeConfig.Memory(OptionalLong.of(64 << 20), OptionalLong.of(32 << 20)),
                directory.resolve("s"), Optional.of(Path.of("/r")), Optional.of("web"), Optional.of("www")));
    }

    @ParameterizedTest
    @CsvSource({"1,1", "2,2", "3,2", "64,2"})
    void autoIsTwoWorkersButOneOnOneCore(int processors, int workers) {
        assertThat(loaded().file("runtime.workers = \"auto\"\n").config().runtime().workers(processors))
                .isEqualTo(workers);
        assertThat(loaded().file("runtime.workers = 5\n").config().runtime().workers(processors)).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource({"1,1", "2,1", "3,2", "5,4"})
    void minimumIsOneLessThanThereAreButAtLeastOne(int workers, int minimum) {
        assertThat(loaded().file("runtime.workers = " + workers + "\n").config().runtime().minimumWorkers(8))
                .isEqualTo(minimum);
    }

    @Test
    void minimumThatAutoCannotHaveOnThisHostIsAllThatThereAre() {
        RuntimeConfig runtime = loaded().file("runtime.workers = \"auto\"\nruntime.minimum_workers = 2\n").config()
                .runtime();

        assertThat(runtime.minimumWorkers(1)).isEqualTo(1);
        assertThat(runtime.minimumWorkers(4)).isEqualTo(2);
    }

    @Test
    void minimumIsNotMoreThanThereAre() {
        assertThat(loaded().file("runtime.workers = 2\nruntime.minimum_workers = 3\n").errors()).startsWith(
                "servery.toml:3:9: error: `runtime.minimum_workers`: found 3; expected at most `runtime.workers`, 2\n");
        assertThat(loaded().file("runtime.workers = \"auto\"\nruntime.minimum_workers = 3\n").errors()).startsWith(
                "servery.toml:3:9: error: `runtime.minimum_workers`: found 3; expected at most `runtime.workers`,"
                        + " which is 2 at most\n");
        assertThat(loaded().file("runtime.minimum_workers = 2\n").errors())
                .contains("expected at most `runtime.workers`, 1");
        assertThat(loaded().file("runtime.workers = 0\nruntime.minimum_workers = 2\n").errors())
                .doesNotContain("at most `runtime.workers`");
    }

    @ParameterizedTest
    @CsvSource({"1,1,1", "1,2,2", "1,8,8", "2,8,4", "3,8,3", "8,3,1", "auto,8,4", "auto,3,2", "auto,1,1"})
    void eventLoopsAreThePartOfTheCoresRoundedUp(String workers, int processors, int loops) {
        RuntimeConfig runtime = loaded().set("runtime.workers", workers).config().runtime();

        assertThat(runtime.eventLoops(processors)).isEqualTo(loops);
        assertThat(loaded().set("runtime.event_loops", "7").config().runtime().eventLoops(processors)).isEqualTo(7);
    }

    @Test
    void firstPauseIsNotLongerThanTheLongest() {
        assertThat(loaded().file("runtime.restart_backoff_initial = 31\n").errors()).startsWith(
                "servery.toml:2:9: error: `runtime.restart_backoff_initial`: found 31s; expected at most"
                        + " `runtime.restart_backoff_max`, 30s\n");
        assertThat(loaded().file("runtime.restart_backoff_max = \"100ms\"\n").errors()).startsWith(
                "servery.toml:2:9: error: `runtime.restart_backoff_initial`: found 250ms; expected at most"
                        + " `runtime.restart_backoff_max`, 100ms\n");
    }

    @Test
    void inheritedSocketStandsInsteadOfEveryAddress() {
        Loaded loaded = loaded().file("listener.inherit = \"http\"\nmetrics = { enabled = true, port = 8000 }\n");
        assertThat(loaded.config().listener().endpoint()).isEqualTo(new Endpoint.Inherited("http"));
        assertThat(loaded.accepted().effective().text()).contains("listener.inherit = \"http\"  # servery.toml:2")
                .doesNotContain("listener.host").doesNotContain("listener.port");
        for (String other : new String[]{"host = \"::1\"", "port = 1", "unix = \"s\""}) {
            assertThat(loaded().file("listener.inherit = \"http\"\nlistener." + other + "\n").errors())
                    .startsWith("servery.toml:3:10: error: `listener.")
                    .contains("found together with `listener.inherit`");
        }
    }

    @ParameterizedTest
    @CsvSource({"a:b", "''", "ü"})
    void socketNameIsOneThatSystemdAccepts(String name) {
        assertThat(loaded().set("listener.inherit", name).errors()).contains("expected the name of a socket");
        assertThat(loaded().set("listener.inherit", "s".repeat(256)).errors()).contains("at most 255");
    }
}
