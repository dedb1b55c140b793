package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The heap of a worker of the packaged server is bounded by what its configuration may fill.
class HeapTest {
    private static final long MEBIBYTE = 1L << 20;
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    @TempDir
    Path folder;

    private long heapBytesMax(ServeryProcess server) {
        String flag = server.worker().commandLine().stream().filter(each -> each.startsWith("-Xmx"))
                .reduce((_, last) -> last)
                .orElseThrow();
        return Long.parseLong(flag.substring("-Xmx".length(), flag.length() - 1)) * 1024;
    }

    private ServeryProcess.Settings settings() throws IOException {
        Files.writeString(folder.resolve("index.html"), "here");
        return ServeryProcess.Settings.of(folder.resolve("run"), folder);
    }

    @Test
    void theDefaultsAreBounded() throws Exception {
        try (ServeryProcess server = ServeryProcess.start(settings())) {
            assertThat(heapBytesMax(server))
                    .isEqualTo((105 + 3L * PROCESSORS + 7L * Math.ceilDiv(PROCESSORS, 2)) * MEBIBYTE);
            assertThat(server.worker().commandLine()).as("what compressed forms may take")
                    .contains("-Dio.servery.form_bytes=" + 72 * MEBIBYTE);
        }
    }

    @Test
    void aConfigurationThatMayFillMoreGetsMore() throws Exception {
        try (ServeryProcess server = ServeryProcess.start(settings().resources("file_cache_bytes = \"300MiB\""))) {
            assertThat(heapBytesMax(server)).isGreaterThanOrEqualTo((300 + 8 + 16) * MEBIBYTE)
                    .isLessThanOrEqualTo((393 + 3L * PROCESSORS + 7L * Math.ceilDiv(PROCESSORS, 2)) * MEBIBYTE);
            assertThat(server.worker().commandLine()).as("each flag once").doesNotHaveDuplicates();
        }
    }
}
