package io.servery.supervisor.listen;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.servery.supervisor.posix.Posix;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// struct sockaddr_in, sockaddr_in6 and sockaddr_un: ip(7), ipv6(7), unix(7).
final class SocketAddresses {
    static final Posix GETSOCKNAME = Posix.function("getsockname");
    static final short AF_UNIX = 1;
    static final short AF_INET = 2;
    static final short AF_INET6 = 10;
    /// sockaddr_storage.
    static final long BYTES_MAX = 128;

    private static final long IN_BYTES = 16;
    private static final long IN6_BYTES = 28;
    private static final long PORT = 2;
    private static final long IN_ADDRESS = 4;
    private static final long IN6_ADDRESS = 8;
    private static final long IN6_SCOPE = 24;
    private static final long UNIX_PATH = 2;
    private static final ValueLayout.OfShort NETWORK_SHORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    private SocketAddresses() {
    }

    static short family(InetAddress address) {
        return address instanceof Inet6Address ? AF_INET6 : AF_INET;
    }

    static MemorySegment of(Arena arena, InetSocketAddress tcp) {
        byte[] bytes = tcp.getAddress().getAddress();
        short family = family(tcp.getAddress());
        MemorySegment address = arena.allocate(family == AF_INET ? IN_BYTES : IN6_BYTES, Integer.BYTES);
        address.set(JAVA_SHORT, 0, family);
        address.set(NETWORK_SHORT, PORT, (short) tcp.getPort());
        MemorySegment.copy(bytes, 0, address, JAVA_BYTE, family == AF_INET ? IN_ADDRESS : IN6_ADDRESS, bytes.length);
        if (tcp.getAddress() instanceof Inet6Address scoped) {
            address.set(JAVA_INT, IN6_SCOPE, scoped.getScopeId());
        }
        return address;
    }

    static MemorySegment of(Arena arena, Path path) {
        byte[] bytes = path.toString().getBytes(StandardCharsets.UTF_8);
        MemorySegment address = arena.allocate(UNIX_PATH + bytes.length + 1, Short.BYTES);
        address.set(JAVA_SHORT, 0, AF_UNIX);
        MemorySegment.copy(bytes, 0, address, JAVA_BYTE, UNIX_PATH, bytes.length);
        return address;
    }

    /// @param address as long as the kernel says
    static BoundAddress read(MemorySegment address) {
        try {
            return switch (address.get(JAVA_SHORT, 0)) {
                case AF_INET -> new BoundAddress.Tcp(new InetSocketAddress(
                        InetAddress.getByAddress(bytes(address, IN_ADDRESS, 4)), port(address)));
                case AF_INET6 -> new BoundAddress.Tcp(new InetSocketAddress(Inet6Address.getByAddress(null,
                        bytes(address, IN6_ADDRESS, 16), scope(address)), port(address)));
                case AF_UNIX -> new BoundAddress.Unix(unixPath(address));
                default -> throw new IllegalStateException("getsockname: found a socket of family "
                        + address.get(JAVA_SHORT, 0) + "; expected TCP or Unix");
            };
        } catch (UnknownHostException bug) {
            throw new IllegalStateException(bug); // 4 and 16 bytes are lengths of addresses
        }
    }

    /// −1 where it has none, or its text would end with one.
    private static int scope(MemorySegment address) {
        int scope = address.get(JAVA_INT, IN6_SCOPE);
        return scope == 0 ? -1 : scope;
    }

    private static int port(MemorySegment address) {
        return Short.toUnsignedInt(address.get(NETWORK_SHORT, PORT));
    }

    /// An abstract name begins with a zero, which people write as `@`.
    private static String unixPath(MemorySegment address) {
        byte[] bytes = bytes(address, UNIX_PATH, address.byteSize() - UNIX_PATH);
        if (bytes.length == 0) {
            return "";
        }
        if (bytes[0] == 0) {
            return "@" + new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8);
        }
        int end = bytes[bytes.length - 1] == 0 ? bytes.length - 1 : bytes.length;
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(MemorySegment address, long offset, long length) {
        return address.asSlice(offset, length).toArray(JAVA_BYTE);
    }
}
