package io.servery.netty.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.config.Configuration;
import io.servery.core.config.Logging;
import io.servery.core.config.ServeryConfig;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.netty.files.GatedWork;
import io.servery.netty.observe.Events;
import java.io.ByteArrayOutputStream;
import java.time.Clock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import io.servery.core.config.ConfigurationInputs;
import io.servery.core.config.Outcome;
import io.servery.core.config.Resources;
import io.servery.core.config.Setting;
import io.servery.netty.files.FileSite;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The bounds of compressed forms that a worker takes from its configuration and from its parent; and what it leaves behind.
class LanedSiteTest {
    private static final long MEBIBYTE = 1L << 20;

    @TempDir
    private Path folder;

    private Resources resources(String... lines) {
        return config(lines).resources();
    }

    private ServeryConfig config(String... lines) {
        List<Setting> settings = Arrays.stream(lines).map(line -> line.split("=", 2))
                .map(words -> new Setting("--set", "resources." + words[0], words[1])).toList();
        byte[] text = "schema_version = 1\n[application]\nmode = \"static\"\n".getBytes(StandardCharsets.UTF_8);
        return switch (Configuration.read(text, new ConfigurationInputs(Optional.of(Path.of("servery.toml")),
                Map.of("HOME", folder.toString()), settings, folder, false))) {
            case Outcome.Accepted accepted -> accepted.config();
            case Outcome.Refused refused -> throw new AssertionError(refused.faults().toString());
        };
    }

    @Test
    void workThatHangsIsLeftToTheEndOfTheProcessAndTold() throws Exception {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        Events events = new Events(Logging.Level.WARN, true, text, Clock.systemUTC());
        LanedSite content = LanedSite.open(config(), new MetricRegistry(MetricScope.http1Files()), events);
        CountDownLatch gate = new CountDownLatch(1);
        GatedWork hanging = new GatedWork(gate);
        assertThat(content.lanes().filesystem().offer(hanging)).isTrue();
        assertThat(hanging.started().await(10, TimeUnit.SECONDS)).isTrue();
        content.closeLanes();
        content.end();
        gate.countDown();
        assertThat(events.close(TimeUnit.SECONDS.toNanos(10))).isTrue();
        assertThat(text.toString(StandardCharsets.UTF_8)).contains("\"event\":\"lane.abandoned\"",
                "\"message\":\"filesystem: 1 running, 0 waiting, 0 bytes\"").doesNotContain("compute");
    }

    private static FileSite.FormLimits mebibytes(long kept, long all, long heap) {
        return new FileSite.FormLimits(kept * MEBIBYTE, all * MEBIBYTE, heap * MEBIBYTE);
    }

    @Test
    void formsMayTakeWhatTheCacheAndTheLaneMay() {
        assertThat(LanedSite.forms(resources(), Long.MAX_VALUE)).isEqualTo(mebibytes(8, 72, 24));
        assertThat(LanedSite.forms(resources("compression_cache_bytes=0", "lanes.compute.bytes=2MiB"), 72 * MEBIBYTE))
                .isEqualTo(mebibytes(0, 2, 2));
        assertThat(LanedSite.forms(resources("lanes.compute.bytes=8MiB"), Long.MAX_VALUE))
                .as("on the heap 4 MiB beside the cache").isEqualTo(mebibytes(8, 16, 12));
    }

    /// A full cache must leave room for a form that is to replace another in it.
    @Test
    void lessRoomIsHalfForTheCache() {
        assertThat(LanedSite.forms(resources(), 8 * MEBIBYTE)).isEqualTo(mebibytes(4, 8, 24));
        assertThat(LanedSite.forms(resources(), 40 * MEBIBYTE)).isEqualTo(mebibytes(8, 40, 24));
    }
}
