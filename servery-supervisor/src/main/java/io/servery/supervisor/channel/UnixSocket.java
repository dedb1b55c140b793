package io.servery.supervisor.channel;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.servery.supervisor.posix.Descriptors;
import io.servery.supervisor.posix.Errno;
import io.servery.supervisor.posix.Posix;
import io.servery.supervisor.posix.PosixException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// A Unix stream socket that never waits: listening, or connected.
///
/// *Owner*: one thread, which closes it.
public final class UnixSocket implements AutoCloseable {
    /// What a socket address of this kind holds beside the zero that ends it: unix(7).
    public static final int PATH_BYTES_MAX = 107;

    private static final Posix SOCKET = Posix.function("socket");
    private static final Posix BIND = Posix.function("bind");
    private static final Posix LISTEN = Posix.function("listen");
    private static final Posix ACCEPT4 = Posix.function("accept4");
    private static final Posix CONNECT = Posix.function("connect");
    private static final Posix GETSOCKOPT = Posix.function("getsockopt");
    private static final Posix CHMOD = Posix.function("chmod");
    private static final Posix SENDMSG = Posix.function("sendmsg");
    private static final Posix RECVMSG = Posix.function("recvmsg");

    private static final long AF_UNIX = 1;
    private static final long SOCK_STREAM = 1;
    private static final long SOCK_CLOEXEC = 0x80000;
    private static final long SOCK_NONBLOCK = 0x800;
    private static final int SOL_SOCKET = 1;
    private static final int SCM_RIGHTS = 1;
    private static final long SO_PEERCRED = 17;
    private static final long MSG_NOSIGNAL = 0x4000;
    private static final long MSG_CMSG_CLOEXEC = 0x40000000;
    private static final int MSG_CTRUNC = 8;
    private static final int OWNER_ALONE = 0600;

    // struct msghdr and struct cmsghdr, the same on both processors.
    private static final long MSGHDR_BYTES = 56;
    private static final long MSG_IOV = 16;
    private static final long MSG_IOVLEN = 24;
    private static final long MSG_CONTROL = 32;
    private static final long MSG_CONTROLLEN = 40;
    private static final long MSG_FLAGS = 48;
    private static final long IOVEC_BYTES = 16;
    private static final long CMSG_BYTES = 16;
    /// SCM_MAX_FD: what one message carries at most.
    private static final int DESCRIPTORS_MAX = 253;
    private static final long CONTROL_BYTES_MAX = CMSG_BYTES + (DESCRIPTORS_MAX + 1) * (long) Integer.BYTES;

    private final int descriptor;
    private @Nullable Inbox inbox;
    private boolean closed;

    private UnixSocket(int descriptor) {
        this.descriptor = descriptor;
    }

    /// Who is at the other end, as it was when it connected: unix(7), SO_PEERCRED.
    public record Peer(int pid, int uid, int gid) {
    }

    /// What one reading gave.
    ///
    /// @param bytes how many came; −1 at the end of the stream, 0 when none are there now
    /// @param descriptors that came beside them, the receiver's to close
    public record Received(int bytes, List<Integer> descriptors) {
        private static final Received NOTHING = new Received(0, List.of());
    }

    /// Listens at a path that nothing is at yet, for this user alone.
    public static UnixSocket listen(Path path, int backlog) throws IOException {
        UnixSocket socket = open();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = address(arena, path);
            BIND.call(socket.descriptor, address.address(), address.byteSize());
            CHMOD.call(Posix.text(arena, path.toString()).address(), OWNER_ALONE);
            LISTEN.call(socket.descriptor, backlog);
            return socket;
        } catch (IOException failed) {
            socket.close();
            throw failed;
        }
    }

    /// Connects to whoever listens at a path.
    ///
    /// @throws PosixException with EAGAIN when the queue there is full
    public static UnixSocket connect(Path path) throws IOException {
        UnixSocket socket = open();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = address(arena, path);
            CONNECT.call(socket.descriptor, address.address(), address.byteSize());
            return socket;
        } catch (IOException failed) {
            socket.close();
            throw failed;
        }
    }

    /// Whether somebody listens at a path where a socket is: one that a killed process left refuses.
    public static boolean answers(Path path) throws IOException {
        try {
            connect(path).close();
            return true;
        } catch (PosixException no) {
            if (no.is(Errno.EAGAIN)) {
                return true; // its queue is full
            }
            if (no.is(Errno.ECONNREFUSED)) {
                return false;
            }
            throw no.about(path.toString());
        }
    }

    private static UnixSocket open() throws PosixException {
        return new UnixSocket(SOCKET.call(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    }

    /// struct sockaddr_un.
    private static MemorySegment address(Arena arena, Path path) throws IOException {
        byte[] bytes = path.toString().getBytes(StandardCharsets.UTF_8);
        if (bytes.length > PATH_BYTES_MAX) {
            throw new IOException(path + ": found a path of " + bytes.length + " bytes; expected at most "
                    + PATH_BYTES_MAX + " for a socket");
        }
        MemorySegment address = arena.allocate(Short.BYTES + bytes.length + 1L, Short.BYTES);
        address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
        MemorySegment.copy(bytes, 0, address, ValueLayout.JAVA_BYTE, Short.BYTES, bytes.length);
        return address;
    }

    public int descriptor() {
        return descriptor;
    }

    /// The next connection that waits, or null when none does.
    public @Nullable UnixSocket accept() throws PosixException {
        int accepted = ACCEPT4.tryCall(descriptor, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (accepted == -Errno.EAGAIN) {
            return null;
        }
        if (accepted < 0) {
            throw ACCEPT4.failure(accepted);
        }
        return new UnixSocket(accepted);
    }

    public Peer peer() throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment credentials = arena.allocate(JAVA_INT, 3);
            MemorySegment length = arena.allocateFrom(JAVA_INT, (int) credentials.byteSize());
            GETSOCKOPT.call(descriptor, SOL_SOCKET, SO_PEERCRED, credentials.address(), length.address());
            return new Peer(credentials.getAtIndex(JAVA_INT, 0), credentials.getAtIndex(JAVA_INT, 1),
                    credentials.getAtIndex(JAVA_INT, 2));
        }
    }

    /// Sends what the socket takes now, from the position of the buffer on, and moves the position.
    ///
    /// @param descriptors go with the first byte, at most 253; they stay the sender's own
    /// @return how many bytes it took: empty when none now, and then no descriptor went either
    public OptionalInt send(ByteBuffer bytes, List<Integer> descriptors) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment content = arena.allocate(bytes.remaining());
            content.copyFrom(MemorySegment.ofBuffer(bytes));
            MemorySegment message = message(arena, content);
            if (!descriptors.isEmpty()) {
                MemorySegment control = rights(arena, descriptors);
                message.set(JAVA_LONG, MSG_CONTROL, control.address());
                message.set(JAVA_LONG, MSG_CONTROLLEN, control.byteSize());
            }
            int sent = SENDMSG.tryCall(descriptor, message.address(), MSG_NOSIGNAL);
            if (sent == -Errno.EAGAIN) {
                return OptionalInt.empty();
            }
            if (sent < 0) {
                throw SENDMSG.failure(sent);
            }
            bytes.position(bytes.position() + sent);
            return OptionalInt.of(sent);
        }
    }

    private static MemorySegment message(Arena arena, MemorySegment content) {
        MemorySegment vector = arena.allocate(IOVEC_BYTES, Long.BYTES);
        vector.set(JAVA_LONG, 0, content.address());
        vector.set(JAVA_LONG, Long.BYTES, content.byteSize());
        MemorySegment message = arena.allocate(MSGHDR_BYTES, Long.BYTES);
        message.set(JAVA_LONG, MSG_IOV, vector.address());
        message.set(JAVA_LONG, MSG_IOVLEN, 1);
        return message;
    }

    private static MemorySegment rights(Arena arena, List<Integer> descriptors) {
        long length = CMSG_BYTES + descriptors.size() * (long) Integer.BYTES;
        MemorySegment control = arena.allocate(length + Long.BYTES - 1 & -Long.BYTES, Long.BYTES);
        control.set(JAVA_LONG, 0, length);
        control.set(JAVA_INT, 8, SOL_SOCKET);
        control.set(JAVA_INT, 12, SCM_RIGHTS);
        for (int i = 0; i < descriptors.size(); i++) {
            control.set(JAVA_INT, CMSG_BYTES + i * (long) Integer.BYTES, descriptors.get(i));
        }
        return control;
    }

    /// Reads what is there into the room of the buffer, at least a byte of it, and moves its position.
    ///
    /// @throws IOException also when more descriptors came than one message may carry: then none is kept
    public Received receive(ByteBuffer into) throws IOException {
        Inbox to = inbox;
        if (to == null) {
            to = new Inbox();
            inbox = to;
        }
        int read = RECVMSG.tryCall(descriptor, to.expect(into.remaining()), MSG_CMSG_CLOEXEC);
        if (read == -Errno.EAGAIN) {
            return Received.NOTHING;
        }
        if (read < 0) {
            throw RECVMSG.failure(read);
        }
        List<Integer> descriptors = to.descriptors();
        if (to.isCut()) {
            descriptors.forEach(Descriptors::close);
            throw new IOException("recvmsg: found more descriptors than " + DESCRIPTORS_MAX);
        }
        into.put(to.content(read));
        return new Received(read == 0 ? -1 : read, descriptors);
    }

    /// The memory that recvmsg(2) fills, kept from one reading to the next: bytes, and descriptors beside them.
    private static final class Inbox implements AutoCloseable {
        private static final int CONTENT_BYTES = 16 << 10;

        private final Arena arena = Arena.ofShared();
        private final ByteBuffer content;
        private final MemorySegment control = arena.allocate(CONTROL_BYTES_MAX, Long.BYTES);
        private final ByteBuffer message;
        private final ByteBuffer vector;
        private final long address;

        Inbox() {
            MemorySegment bytes = arena.allocate(CONTENT_BYTES);
            MemorySegment ofBytes = arena.allocate(IOVEC_BYTES, Long.BYTES);
            MemorySegment whole = arena.allocate(MSGHDR_BYTES, Long.BYTES);
            content = bytes.asByteBuffer();
            vector = ofBytes.asByteBuffer().order(ByteOrder.nativeOrder());
            vector.putLong(0, bytes.address());
            message = whole.asByteBuffer().order(ByteOrder.nativeOrder());
            message.putLong((int) MSG_IOV, ofBytes.address());
            message.putLong((int) MSG_IOVLEN, 1);
            message.putLong((int) MSG_CONTROL, control.address());
            address = whole.address();
        }

        /// The address of the message, with room for as much as is wanted, up to what there is.
        long expect(int bytes) {
            vector.putLong(Long.BYTES, Math.min(bytes, CONTENT_BYTES));
            message.putLong((int) MSG_CONTROLLEN, CONTROL_BYTES_MAX);
            return address;
        }

        ByteBuffer content(int bytes) {
            return content.slice(0, bytes);
        }

        List<Integer> descriptors() {
            long length = message.getLong((int) MSG_CONTROLLEN);
            return length == 0 ? List.of() : received(control.asSlice(0, length));
        }

        /// Whether descriptors came for which there was no room: recvmsg(2), MSG_CTRUNC.
        boolean isCut() {
            return (message.getInt((int) MSG_FLAGS) & MSG_CTRUNC) != 0;
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    /// The descriptors of every control message of that kind: cmsg(3).
    private static List<Integer> received(MemorySegment control) {
        List<Integer> descriptors = new ArrayList<>();
        long at = 0;
        while (control.byteSize() - at >= CMSG_BYTES) {
            long length = control.get(JAVA_LONG, at);
            boolean rights = control.get(JAVA_INT, at + 8) == SOL_SOCKET
                    && control.get(JAVA_INT, at + 12) == SCM_RIGHTS;
            for (long one = CMSG_BYTES; rights && one + Integer.BYTES <= length; one += Integer.BYTES) {
                descriptors.add(control.get(JAVA_INT, at + one));
            }
            at += length + Long.BYTES - 1 & -Long.BYTES;
        }
        return descriptors;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Descriptors.close(descriptor);
            if (inbox != null) {
                inbox.close();
                inbox = null;
            }
        }
    }
}
