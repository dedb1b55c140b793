package io.servery.netty.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.config.Configuration;
import io.servery.core.config.ConfigurationInputs;
import io.servery.core.config.Outcome;
import io.servery.core.config.Resources;
import io.servery.core.config.Setting;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeapNeedTest {
    private static final long MEBIBYTE = 1L << 20;

    @TempDir
    private Path folder;

    private Resources resources(Setting... settings) {
        String text = "schema_version = 1\n[application]\nmode = \"static\"\n";
        return switch (Configuration.read(text.getBytes(StandardCharsets.UTF_8), new ConfigurationInputs(
                Optional.of(Path.of("servery.toml")), Map.of("HOME", folder.toString()), List.of(settings), folder,
                false))) {
            case Outcome.Accepted accepted -> accepted.config().resources();
            case Outcome.Refused refused -> throw new AssertionError(refused.faults().toString());
        };
    }

    private static Setting set(String key, String words) {
        return new Setting("--set", "resources." + key, words);
    }

    @Test
    void whatIsNotConfiguredFitsIntoTheHeapThatIsGivenFirst() {
        assertThat(HeapNeed.bytes(resources())).isBetween(HeapNeed.defaultBytes() - 4 * MEBIBYTE,
                HeapNeed.defaultBytes());
    }

    @Test
    void everyCacheLaneAndConnectionCounts() {
        long before = HeapNeed.bytes(resources());
        for (Setting setting : List.of(set("file_cache_bytes", "132MiB"), set("compression_cache_bytes", "108MiB"))) {
            assertThat(HeapNeed.bytes(resources(setting))).as(setting.key()).isEqualTo(before + 100 * MEBIBYTE);
        }
        assertThat(HeapNeed.bytes(resources(set("max_connections", "100256"))))
                .isGreaterThan(before + 200 * MEBIBYTE);
    }

    /// What is compressed is outside of the heap where it is large; a quarter is for where it cannot be.
    @Test
    void computeLaneCountsForWhatItHoldsOnTheHeap() {
        long before = HeapNeed.bytes(resources());
        assertThat(HeapNeed.bytes(resources(set("lanes.compute.bytes", "164MiB")))).isEqualTo(before + 25 * MEBIBYTE);
        assertThat(HeapNeed.bytes(resources(set("lanes.compute.queue", "128")))).isEqualTo(before + 4 * MEBIBYTE);
        assertThat(HeapNeed.bytes(resources(set("lanes.compute.threads", "14"))))
                .isEqualTo(HeapNeed.bytes(resources(set("lanes.compute.threads", "4"))) + (30 + 5 * 7) * MEBIBYTE);
    }
}
