package io.servery.netty.files.open;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DescriptorChannelTest {
    private final Calls calls = new LinuxCalls();

    @TempDir
    Path directory;

    @Test
    void jdkMakesAChannelOfOurDescriptor() {
        assertThat(DescriptorChannel.adopts()).as("--add-opens java.base/java.io is given to this JVM").isTrue();
    }

    @Test
    void adoptedChannelReadsAndClosesItsOneDescriptor() throws IOException {
        DescriptorChannel channel = DescriptorChannel.of(open(), calls);
        assertThat(read(channel)).isEqualTo("content");
        assertThat(Descriptors.beneath(directory)).hasSize(1);
        channel.close();
        assertThat(Descriptors.beneath(directory)).isEmpty();
    }

    @Test
    void reopenedChannelReadsTheSameFileEvenWhenItsNameIsGoneAndClosesBoth() throws IOException {
        int descriptor = open();
        Files.delete(directory.resolve("file"));
        DescriptorChannel channel = DescriptorChannel.reopened(descriptor, calls);
        assertThat(read(channel)).isEqualTo("content");
        channel.close();
        assertThat(Descriptors.beneath(directory)).isEmpty();
    }

    private int open() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "content");
        int descriptor = calls.openat(Calls.AT_FDCWD, file.toString().getBytes(StandardCharsets.UTF_8),
                OpenFlags.READ);
        assertThat(descriptor).isPositive();
        return descriptor;
    }

    private static String read(DescriptorChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(20);
        int count = channel.channel().read(bytes, 0);
        return new String(bytes.array(), 0, count, StandardCharsets.UTF_8);
    }
}
