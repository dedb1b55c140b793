package io.servery.netty.listen;

import io.netty.channel.unix.DomainSocketAddress;
import io.servery.core.config.Endpoint;
import io.servery.core.control.Shard;
import io.servery.core.fault.ExitCode;
import io.servery.supervisor.listen.BindResult;
import io.servery.supervisor.listen.BoundAddress;
import io.servery.supervisor.listen.ListenAddress;
import io.servery.supervisor.listen.ListenerTable;
import io.servery.supervisor.listen.WantedAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Binds the addresses of an endpoint: all of them or none.
///
/// With epoll the sockets are those of a supervisor's [ListenerTable]; with NIO each address has one channel.
public final class Binder {
    private final String key;
    private final int backlog;
    private final int shards;
    private final boolean epoll;

    /// @param key the table whose endpoint this is, for messages: `listener` or `metrics`
    /// @param shards how many sockets each TCP address gets; with NIO there is one
    public Binder(String key, int backlog, int shards, boolean epoll) {
        this.key = key;
        this.backlog = backlog;
        this.shards = shards;
        this.epoll = epoll;
    }

    /// Binds the endpoint.
    public ListenResult bind(Endpoint endpoint) {
        return switch (ListenAddress.of(key, endpoint, Map.of())) {
            case ListenAddress.Unresolved unknown -> refused(unknown.refusal());
            case ListenAddress.Resolved(List<ListenAddress> addresses) -> epoll
                    ? bindTable(addresses)
                    : bindChannels(addresses);
        };
    }

    private static ListenResult refused(BindResult.Refused no) {
        return new ListenResult.Refused(no.message(), no.exitCode());
    }

    private ListenResult bindTable(List<ListenAddress> addresses) {
        ListenerTable table = new ListenerTable();
        return switch (table.bind(WantedAddress.all(key, addresses), shards, backlog)) {
            case BindResult.Refused no -> refused(no);
            case BindResult.Bound(List<Shard> all) -> new ListenResult.Bound(
                    all.stream().map(Shard::group).distinct().map(number -> group(table, number, all)).toList());
        };
    }

    /// The table is given up, and its sockets are the group's from now on.
    private static ListenerGroup group(ListenerTable table, int number, List<Shard> all) {
        List<Integer> descriptors = all.stream().filter(shard -> shard.group() == number).map(table::descriptor)
                .toList();
        return switch (table.address(number)) {
            case BoundAddress.Tcp(InetSocketAddress address) -> new ListenerGroup(address, null,
                    descriptors.stream().<BoundSocket>map(BoundSocket.Tcp::new).toList());
            case BoundAddress.Unix(String path) -> new ListenerGroup(new DomainSocketAddress(path), table.file(number),
                    descriptors.stream().<BoundSocket>map(BoundSocket.Unix::new).toList());
        };
    }

    private ListenResult bindChannels(List<ListenAddress> addresses) {
        List<ListenerGroup> groups = new ArrayList<>();
        for (ListenAddress address : addresses) {
            try {
                groups.add(bindChannel(address));
            } catch (IOException e) {
                groups.forEach(Binder::closeQuietly);
                return new ListenResult.Refused(
                        key + ": cannot listen on " + address.where() + ": " + e.getMessage(), ExitCode.UNAVAILABLE);
            }
        }
        return new ListenResult.Bound(groups);
    }

    private ListenerGroup bindChannel(ListenAddress address) throws IOException {
        if (!(address instanceof ListenAddress.Tcp tcp)) {
            throw new IOException("a Unix socket needs the epoll transport");
        }
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(tcp.resolved(), backlog);
            return new ListenerGroup(channel.getLocalAddress(), null, List.of(new BoundSocket.Nio(channel)));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static void closeQuietly(ListenerGroup group) {
        try {
            group.close();
        } catch (IOException e) {
            // The reason why binding failed is the one to tell; a socket that does not close ends with the process.
        }
    }
}
