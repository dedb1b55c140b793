package io.servery.netty.listen;

import io.netty.channel.unix.DomainSocketAddress;
import io.servery.supervisor.listen.UnixPath;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// All sockets of one listen address: several shards, each with one reader, or one socket whose reader hands round.
///
/// @param address where it listens, with the port that the system chose if it was asked to
/// @param file the file of a Unix socket, which whoever bound it removes; null for TCP, and where it was inherited
public record ListenerGroup(SocketAddress address, @Nullable UnixPath file, List<BoundSocket> shards) {
    public ListenerGroup {
        shards = List.copyOf(shards);
    }

    /// The address as people write it: a URL for TCP, `unix:` and the path otherwise.
    ///
    /// @param scheme `http` or `https`
    public String url(String scheme) {
        if (!(address instanceof InetSocketAddress tcp)) {
            return "unix:" + ((DomainSocketAddress) address).path();
        }
        String host = tcp.getAddress().getHostAddress();
        return scheme + "://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + tcp.getPort() + "/";
    }

    /// Whether it can be reached from this host alone.
    public boolean onLoopback() {
        return address instanceof InetSocketAddress tcp && tcp.getAddress().isLoopbackAddress();
    }

    /// Closes sockets that no worker took, and removes the file of a Unix socket.
    public void close() throws IOException {
        for (BoundSocket shard : shards) {
            shard.close();
        }
        removePath();
    }

    /// Removes the file of a Unix socket: only its binder does, and only where it is still the same.
    public void removePath() throws IOException {
        if (file != null) {
            file.remove();
        }
    }
}
