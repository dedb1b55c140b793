package io.servery.netty.files.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.http.exchange.AcquiredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files in memory, whatever the kernel makes of the calls: a file or nothing, and no descriptor left.
@Isolated
class AnonymousFilesTest {
    private static final int EPERM = 1;
    private static final int LENGTH = 300_001;

    private final FaultyCalls calls = new FaultyCalls();
    private final AnonymousFiles files = new AnonymousFiles(calls);
    private final byte[] bytes = new byte[LENGTH + 1_000];

    AnonymousFilesTest() {
        new Random(3).nextBytes(bytes);
    }

    @AfterEach
    void findNoDescriptorLeft() throws IOException {
        assertThat(Descriptors.ofForms()).isEmpty();
    }

    private AcquiredFile made() {
        return Objects.requireNonNull(files.of(bytes, LENGTH));
    }

    @Test
    void fileHasTheFirstBytesAndOneDescriptor() throws IOException {
        AcquiredFile file = made();
        assertThat(file.channel().size()).isEqualTo(LENGTH);
        ByteBuffer read = ByteBuffer.allocate(LENGTH);
        while (read.hasRemaining()) {
            assertThat(file.channel().read(read, read.position())).isPositive();
        }
        assertThat(read.array()).isEqualTo(Arrays.copyOf(bytes, LENGTH));
        assertThat(file.unchanged()).isTrue();
        assertThat(Descriptors.ofForms()).hasSize(1);
        file.close();
    }

    @Test
    void nobodyCanWriteToItNotEvenByItsDescriptor() throws IOException {
        AcquiredFile file = made();
        Path descriptor = Path.of("/proc/self/fd").resolve(Integer.toString(descriptor()));
        try (FileChannel writing = FileChannel.open(descriptor, StandardOpenOption.WRITE)) {
            assertThat(failure(() -> writing.write(ByteBuffer.allocate(1), 0))).isInstanceOf(IOException.class);
            assertThat(failure(() -> writing.truncate(1))).isInstanceOf(IOException.class);
            assertThat(failure(() -> writing.write(ByteBuffer.allocate(1), LENGTH))).isInstanceOf(IOException.class);
        }
        file.close();
    }

    private static Throwable failure(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        return org.assertj.core.api.Assertions.catchThrowable(call);
    }

    private static int descriptor() throws IOException {
        try (var all = java.nio.file.Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(AnonymousFilesTest::isForm)
                    .mapToInt(path -> Integer.parseInt(path.getFileName().toString()))
                    .findFirst().orElseThrow();
        }
    }

    private static boolean isForm(Path descriptor) {
        try {
            return java.nio.file.Files.readSymbolicLink(descriptor).toString().startsWith("/memfd:servery-form");
        } catch (IOException gone) {
            return false;
        }
    }

    /// Linux before 6.3 knows no MFD_NOEXEC_SEAL.
    @Test
    void olderKernelsAreAskedAgainWithoutTheNewFlag() {
        calls.fail("memfd", Errno.EINVAL);
        assertThat(files.of(bytes, LENGTH)).isNull();
        assertThat(calls.memfdFlags).containsExactly(0xb, 0x3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memfd", "write", "seal"})
    void whatTheKernelRefusesIsNoFile(String call) {
        calls.fail(call, EPERM);
        assertThat(files.of(bytes, LENGTH)).isNull();
        calls.fail(call, 0);
        made().close();
    }
}
