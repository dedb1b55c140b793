package io.servery.netty.files.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.servery.core.config.StaticFiles.Symlinks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What of a file is in memory, as the kernel tells (preadv2(2), RWF_NOWAIT).
class PageCacheTest {
    private static final int BYTES = 3_000_001;
    private static final int LOOK = 256 * 1024;

    @TempDir
    Path directory;

    private OpenedFile open(FaultyCalls calls) throws IOException {
        Files.write(directory.resolve("file"), new byte[BYTES]);
        try (Root root = Roots.open(directory, Symlinks.INSIDE, calls)) {
            return RootContract.file(root.open("file"));
        }
    }

    @Test
    void whatWasWrittenJustNowIsInMemory() throws IOException {
        OpenedFile file = open(new FaultyCalls());
        assertThat(file.inMemory(0, BYTES)).isEqualTo(BYTES);
        assertThat(file.inMemory(BYTES - 1, 1)).isEqualTo(1);
        assertThat(file.inMemory(1_000, LOOK)).isEqualTo(LOOK);
        file.close();
    }

    @Test
    void whatTheKernelDroppedIsNotAndComesBack() throws Exception {
        OpenedFile file = open(new FaultyCalls());
        run("dd", "of=" + directory.resolve("file"), "oflag=nocache", "conv=notrunc,fdatasync", "count=0",
                "status=none");
        assumeThat(run("fincore", "--bytes", "--noheadings", "--output", "RES", directory.resolve("file").toString()))
                .as("bytes in memory of a file that was to be dropped: its file system keeps them").isEqualTo("0");
        assertThat(file.inMemory(0, BYTES)).isZero();
        file.bringIn(0, BYTES);
        assertThat(file.inMemory(0, BYTES)).isEqualTo(BYTES);
        file.close();
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    /// Never more than was seen: up to the look before the one in vain.
    @Test
    void whatIsMissingAnywhereEndsIt() throws IOException {
        FaultyCalls calls = new FaultyCalls();
        OpenedFile file = open(calls);
        for (int missing = 0; missing < BYTES / LOOK + 2; missing++) {
            AtomicInteger looks = new AtomicInteger(missing);
            calls.before("peek", () -> calls.fail("peek", looks.getAndDecrement() > 0 ? 0 : Errno.EAGAIN));
            assertThat(file.inMemory(0, BYTES)).as("after %s looks", missing)
                    .isEqualTo((long) LOOK * Math.min(missing, BYTES / LOOK));
        }
        file.close();
    }

    /// EOPNOTSUPP of file systems that do not tell, ENOSYS of kernels: what cannot be told is as it was without a look.
    @Test
    void whereTheKernelDoesNotTellAllIsTakenForBeingThere() throws IOException {
        FaultyCalls calls = new FaultyCalls().fail("peek", 95);
        OpenedFile file = open(calls);
        assertThat(file.inMemory(0, BYTES)).isEqualTo(BYTES);
        calls.fail("peek", Errno.ENOSYS);
        assertThat(file.inMemory(0, BYTES)).isEqualTo(BYTES);
        file.close();
    }

    /// Who sends it is told that it is shorter, and why not.
    @Test
    void fileThatWasCutShortIsBroughtInAsFarAsItGoes() throws IOException {
        OpenedFile file = open(new FaultyCalls());
        Files.write(directory.resolve("file"), new byte[10]);
        file.bringIn(0, BYTES);
        file.bringIn(BYTES - 1, 1);
        assertThat(file.unchanged()).isFalse();
        file.close();
    }
}
