package io.servery.netty.run;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.servery.supervisor.posix.Descriptors;
import io.servery.supervisor.posix.Errno;
import io.servery.supervisor.posix.Posix;
import io.servery.supervisor.posix.PosixException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The socket of a service manager (sd_notify(3)). Java has none for datagrams with a path.
final class ManagerSocket implements AutoCloseable {
    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM_CLOEXEC_NONBLOCK = 0x80802;

    private final int descriptor;

    ManagerSocket(Path path) throws PosixException {
        descriptor = Posix.function("socket").call(AF_UNIX, SOCK_DGRAM_CLOEXEC_NONBLOCK, 0);
        byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(Short.BYTES + (long) name.length, Short.BYTES);
            address.set(JAVA_SHORT, 0, (short) AF_UNIX);
            MemorySegment.copy(name, 0, address, JAVA_BYTE, Short.BYTES, name.length);
            Posix.function("bind").call(descriptor, address.address(), address.byteSize());
        }
    }

    /// All that was sent since it was last asked: a message is there when its sending returned.
    List<String> told() {
        List<String> messages = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(1024);
            Posix receive = Posix.function("recv");
            for (int read = receive.tryCall(descriptor, bytes.address(), bytes.byteSize(),
                    0); read != -Errno.EAGAIN; read = receive.tryCall(descriptor, bytes.address(), bytes.byteSize(),
                            0)) {
                messages.add(new String(bytes.asSlice(0, read).toArray(JAVA_BYTE), StandardCharsets.UTF_8));
            }
        }
        return messages;
    }

    @Override
    public void close() {
        Descriptors.close(descriptor);
    }
}
