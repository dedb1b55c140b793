package io.servery.netty.files.open;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// A channel over a descriptor that we opened, and that descriptor.
///
/// The JDK makes a channel of a descriptor only by a private constructor: with `--add-opens java.base/java.io` it
/// is used. Without it the descriptor's file is opened once more by its name under
/// `/proc/self/fd`, which cannot be another file, and costs a second descriptor and three system calls.
final class DescriptorChannel {
    private static final @Nullable MethodHandle DESCRIPTOR_OF_NUMBER = descriptorOfNumber();

    private final int descriptor;
    private final FileChannel channel;
    private final @Nullable Calls closesDescriptor;

    private DescriptorChannel(int descriptor, FileChannel channel, @Nullable Calls closesDescriptor) {
        this.descriptor = descriptor;
        this.channel = channel;
        this.closesDescriptor = closesDescriptor;
    }

    /// Takes the descriptor over; it stays the caller's when this throws.
    static DescriptorChannel of(int descriptor, Calls calls) throws IOException {
        return DESCRIPTOR_OF_NUMBER == null
                ? reopened(descriptor, calls)
                : new DescriptorChannel(descriptor, adopted(descriptor, DESCRIPTOR_OF_NUMBER), null);
    }

    /// Whether the JDK lets us make a channel of a descriptor.
    static boolean adopts() {
        return DESCRIPTOR_OF_NUMBER != null;
    }

    static DescriptorChannel reopened(int descriptor, Calls calls) throws IOException {
        FileChannel channel = FileChannel.open(Path.of("/proc/self/fd/" + descriptor), StandardOpenOption.READ);
        return new DescriptorChannel(descriptor, channel, calls);
    }

    int descriptor() {
        return descriptor;
    }

    FileChannel channel() {
        return channel;
    }

    void close() throws IOException {
        try {
            channel.close();
        } finally {
            if (closesDescriptor != null) {
                closesDescriptor.close(descriptor);
            }
        }
    }

    // The channel closes the stream, and the stream the descriptor.
    @SuppressWarnings("resource")
    private static FileChannel adopted(int descriptor, MethodHandle descriptorOfNumber) {
        try {
            return new FileInputStream((FileDescriptor) descriptorOfNumber.invokeExact(descriptor)).getChannel();
        } catch (Throwable bug) {
            throw new IllegalStateException("descriptor: " + bug.getMessage(), bug);
        }
    }

    private static @Nullable MethodHandle descriptorOfNumber() {
        try {
            return MethodHandles.privateLookupIn(FileDescriptor.class, MethodHandles.lookup())
                    .findConstructor(FileDescriptor.class, MethodType.methodType(void.class, int.class));
        } catch (IllegalAccessException | NoSuchMethodException e) {
            return null;
        }
    }
}
