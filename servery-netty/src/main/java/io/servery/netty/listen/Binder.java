package io.servery.netty.listen;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.Errors;
import io.netty.channel.unix.Socket;
import io.servery.core.config.Endpoint;
import io.servery.core.fault.ExitCode;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Binds the addresses of an endpoint: all of them or none.
///
/// With epoll each address gets a group of SO_REUSEPORT sockets, one for each event loop. The first of a group is bound
/// without that option, so an address that anyone else has, under the same user too, is found out; then it joins.
public final class Binder {
    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_V6ONLY = 26;
    private static final int ENOENT = 2;
    private static final int EACCES = 13;
    private static final int EADDRINUSE = 98;
    private static final int EADDRNOTAVAIL = 99;

    private final String key;
    private final int backlog;
    private final int shards;
    private final boolean epoll;

    /// @param key the table whose endpoint this is, for messages: `listener` or `metrics`
    /// @param shards how many sockets each TCP address gets; with NIO there is one
    public Binder(String key, int backlog, int shards, boolean epoll) {
        if (epoll) {
            Epoll.ensureAvailability(); // loads the native library that the sockets need, whoever comes first
        }
        this.key = key;
        this.backlog = backlog;
        this.shards = epoll ? shards : 1;
        this.epoll = epoll;
    }

    /// Binds the endpoint.
    public ListenResult bind(Endpoint endpoint) {
        List<ListenerGroup> groups = new ArrayList<>();
        String where = "";
        try {
            switch (endpoint) {
                case Endpoint.Inherited inherited -> {
                    return new ListenResult.Refused(key + ".inherit: found \"" + inherited.name()
                            + "\"; expected host and port, or unix: one process alone takes no socket of systemd",
                            ExitCode.CONFIGURATION);
                }
                case Endpoint.UnixSocket unix -> {
                    where = unix.path().toString();
                    groups.add(bindUnix(unix.path()));
                }
                case Endpoint.Tcp tcp -> {
                    for (String host : tcp.hosts()) {
                        where = host + " port " + tcp.port();
                        groups.add(bindTcp(new InetSocketAddress(InetAddress.getByName(host), tcp.port())));
                    }
                }
            }
            return new ListenResult.Bound(groups);
        } catch (IOException e) {
            groups.forEach(Binder::closeQuietly);
            return refused(endpoint, where, e);
        }
    }

    private ListenerGroup bindTcp(InetSocketAddress address) throws IOException {
        if (!epoll) {
            return bindNio(address);
        }
        List<BoundSocket> sockets = new ArrayList<>();
        try {
            InetSocketAddress bound = address;
            for (int i = 0; i < shards; i++) {
                Socket socket = LinuxSocket.newSocketStream(address.getAddress() instanceof Inet6Address);
                sockets.add(new BoundSocket.Tcp(socket.intValue()));
                bindShard(socket, bound, i == 0);
                bound = socket.localAddress();
            }
            return new ListenerGroup(bound, null, sockets);
        } catch (IOException e) {
            sockets.forEach(Binder::closeQuietly);
            throw e;
        }
    }

    private void bindShard(Socket socket, InetSocketAddress address, boolean first) throws IOException {
        if (address.getAddress() instanceof Inet6Address) {
            socket.setIntOpt(IPPROTO_IPV6, IPV6_V6ONLY, 1);
        }
        socket.setReuseAddress(true);
        if (!first) {
            socket.setReusePort(true);
        }
        socket.bind(address);
        if (first) {
            socket.setReusePort(true);
        }
        socket.listen(backlog);
    }

    private ListenerGroup bindNio(InetSocketAddress address) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(address, backlog);
            return new ListenerGroup(channel.getLocalAddress(), null, List.of(new BoundSocket.Nio(channel)));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private ListenerGroup bindUnix(Path path) throws IOException {
        if (!epoll) {
            throw new IOException("a Unix socket needs the epoll transport");
        }
        removeStale(path);
        Socket socket = Socket.newSocketDomain();
        try {
            socket.bind(new DomainSocketAddress(path.toString()));
            socket.listen(backlog);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        return new ListenerGroup(new DomainSocketAddress(path.toString()), path,
                List.of(new BoundSocket.Unix(socket.intValue())));
    }

    /// A socket file that nobody answers on was left by a process that was killed; any other file is not ours to remove.
    private static void removeStale(Path path) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        if (!Boolean.TRUE.equals(isSocket(path))) {
            throw new BindException("the path exists and is not a socket");
        }
        Socket probe = Socket.newSocketDomain();
        try {
            probe.connect(new DomainSocketAddress(path.toString()));
        } catch (IOException e) {
            Files.delete(path);
            return;
        } finally {
            probe.close();
        }
        throw new BindException("another process listens there");
    }

    private static Boolean isSocket(Path path) throws IOException {
        int mode = (Integer) Files.getAttribute(path, "unix:mode");
        return (mode & 0170000) == 0140000;
    }

    private ListenResult refused(Endpoint endpoint, String where, IOException e) {
        boolean unix = endpoint instanceof Endpoint.UnixSocket;
        String message = key + ": cannot listen on " + where + ": ";
        int errno = e instanceof Errors.NativeIoException nativeError ? -nativeError.expectedErr() : 0;
        if (e instanceof UnknownHostException) {
            return new ListenResult.Refused(message + "the host name is not known", ExitCode.UNAVAILABLE);
        }
        return switch (errno) {
            case ENOENT -> new ListenResult.Refused(message + "its directory does not exist", ExitCode.UNAVAILABLE);
            case EACCES -> new ListenResult.Refused(message + (unix
                    ? "permission denied"
                    : "permission denied (ports below 1024 need CAP_NET_BIND_SERVICE)"), ExitCode.PERMISSION);
            case EADDRINUSE -> new ListenResult.Refused(
                    message + "the address is in use; stop the other process or choose another port",
                    ExitCode.UNAVAILABLE);
            case EADDRNOTAVAIL -> new ListenResult.Refused(message + "this host has no such address",
                    ExitCode.UNAVAILABLE);
            default -> new ListenResult.Refused(message + e.getMessage(), ExitCode.UNAVAILABLE);
        };
    }

    private static void closeQuietly(BoundSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // The reason why binding failed is the one to tell; a socket that does not close ends with the process.
        }
    }

    private static void closeQuietly(ListenerGroup group) {
        try {
            group.close();
        } catch (IOException e) {
            // As above.
        }
    }
}
