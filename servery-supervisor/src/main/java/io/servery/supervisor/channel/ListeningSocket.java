package io.servery.supervisor.channel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.servery.supervisor.posix.Posix;
import io.servery.supervisor.posix.PosixException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Asks the kernel what a descriptor that was received is: getsockname(2), getsockopt(2) with SO_TYPE and SO_ACCEPTCONN.
///
/// Addresses are words, as the parent prints them: `127.0.0.1:8000`, `[::]:443`, `unix:/run/servery/http.sock`, and
/// `unix:@name` for one without a file.
public final class ListeningSocket {
    private static final Posix GETSOCKNAME = Posix.function("getsockname");
    private static final Posix GETSOCKOPT = Posix.function("getsockopt");
    private static final long SOL_SOCKET = 1;
    private static final long SO_TYPE = 3;
    private static final long SO_ACCEPTCONN = 30;
    private static final int SOCK_STREAM = 1;
    private static final short AF_UNIX = 1;
    private static final short AF_INET = 2;
    private static final short AF_INET6 = 10;
    /// struct sockaddr_storage.
    private static final int ADDRESS_BYTES_MAX = 128;
    private static final int PORT_AT = 2;
    private static final int PATH_AT = 2;
    private static final int INET_AT = 4;
    private static final int INET_BYTES = 4;
    private static final int INET6_AT = 8;
    private static final int INET6_BYTES = 16;
    private static final String UNIX = "unix:";

    private ListeningSocket() {
    }

    /// What is wrong with a descriptor that should be a stream socket which listens at this address: `found X; expected Y`.
    /// Empty when nothing is.
    ///
    /// @param address a scope in it is not looked at
    /// @param later whether it may be one that is bound and will listen later
    public static Optional<String> fault(int descriptor, String address, boolean later) {
        String found;
        try {
            if (option(descriptor, SO_TYPE) != SOCK_STREAM) {
                found = "a socket that is no stream socket";
            } else if (!later && option(descriptor, SO_ACCEPTCONN) == 0) {
                found = "a socket that does not listen";
            } else {
                found = address(descriptor);
            }
        } catch (PosixException noSocket) {
            found = "no socket (" + noSocket.getMessage() + ")";
        }
        return found.equals(plain(address))
                ? Optional.empty()
                : Optional.of("found " + found + "; expected one that listens at " + address);
    }

    /// Where a socket is bound.
    public static String address(int descriptor) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(ADDRESS_BYTES_MAX, Long.BYTES);
            MemorySegment length = arena.allocateFrom(JAVA_INT, ADDRESS_BYTES_MAX);
            GETSOCKNAME.call(descriptor, address.address(), length.address());
            return switch (address.get(JAVA_SHORT, 0)) {
                case AF_INET -> tcp(bytes(address, INET_AT, INET_BYTES), port(address));
                case AF_INET6 -> tcp(bytes(address, INET6_AT, INET6_BYTES), port(address));
                case AF_UNIX -> unix(bytes(address, PATH_AT, length.get(JAVA_INT, 0) - PATH_AT));
                default -> "a socket of family " + address.get(JAVA_SHORT, 0);
            };
        }
    }

    private static int option(int descriptor, long option) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(JAVA_INT);
            MemorySegment length = arena.allocateFrom(JAVA_INT, Integer.BYTES);
            GETSOCKOPT.call(descriptor, SOL_SOCKET, option, value.address(), length.address());
            return value.get(JAVA_INT, 0);
        }
    }

    private static byte[] bytes(MemorySegment address, int at, int count) {
        return address.asSlice(at, count).toArray(JAVA_BYTE);
    }

    /// Network byte order.
    private static int port(MemorySegment address) {
        return Byte.toUnsignedInt(address.get(JAVA_BYTE, PORT_AT)) << Byte.SIZE
                | Byte.toUnsignedInt(address.get(JAVA_BYTE, PORT_AT + 1));
    }

    private static String tcp(byte[] ip, int port) {
        try {
            String host = InetAddress.getByAddress(ip).getHostAddress();
            return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 or 16 bytes are an address", e);
        }
    }

    /// unix(7): a path ends with a zero, which the kernel may not count; an abstract name begins with one.
    private static String unix(byte[] name) {
        boolean isAbstract = name.length > 0 && name[0] == 0;
        String text = new String(name, StandardCharsets.UTF_8);
        int end = text.indexOf('\0', isAbstract ? 1 : 0);
        String kept = isAbstract || end < 0 ? text : text.substring(0, end);
        return UNIX + (isAbstract ? "@" + kept.substring(1) : kept);
    }

    /// The same address in the words of [#address]; words that are none stay as they are.
    private static String plain(String words) {
        int colon = words.lastIndexOf(':');
        if (words.startsWith(UNIX) || colon < 0) {
            return words;
        }
        String host = words.substring(0, colon).replaceAll("^\\[|%.*|]$", "");
        try {
            return tcp(InetAddress.ofLiteral(host).getAddress(), Integer.parseInt(words.substring(colon + 1)));
        } catch (IllegalArgumentException none) {
            return words;
        }
    }
}
