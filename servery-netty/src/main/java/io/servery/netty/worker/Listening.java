package io.servery.netty.worker;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.servery.netty.admission.ConnectionAdmission;
import io.servery.netty.listen.BoundSocket;
import io.servery.netty.listen.ListenerGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/// The listening sockets of a worker on its event loops: registered without reading, opened, and closed in a drain.
final class Listening {
    private record Socket(Channel channel, Acceptor acceptor) {
    }

    private final List<Socket> sockets = new ArrayList<>();

    /// Registers all sockets of these groups; nothing is accepted yet. A group with a socket for each loop is accepted
    /// where it is served; any other hands its connections round.
    static Listening register(List<ListenerGroup> groups, List<Loop> loops, ConnectionAdmission admission,
            Consumer<Throwable> acceptErrors) {
        Listening listening = new Listening();
        for (ListenerGroup group : groups) {
            List<BoundSocket> shards = group.shards();
            for (int i = 0; i < shards.size(); i++) {
                List<Loop> served = shards.size() == 1 ? loops : List.of(loops.get(i % loops.size()));
                listening.add(shards.get(i), new Acceptor(served, admission, acceptErrors),
                        served.getFirst().eventLoop());
            }
        }
        return listening;
    }

    private void add(BoundSocket bound, Acceptor acceptor, EventLoop eventLoop) {
        ServerChannel channel = switch (bound) {
            case BoundSocket.Tcp(int descriptor) -> new EpollServerSocketChannel(descriptor);
            case BoundSocket.Unix(int descriptor) -> new EpollServerDomainSocketChannel(descriptor, true);
            case BoundSocket.Nio nio -> new NioServerSocketChannel(nio.channel());
        };
        channel.config().setAutoRead(false);
        channel.pipeline().addLast(acceptor);
        eventLoop.register(channel).syncUninterruptibly();
        sockets.add(new Socket(channel, acceptor));
    }

    /// Starts accepting.
    void open() {
        for (Socket socket : sockets) {
            socket.channel().config().setAutoRead(true);
        }
    }

    /// Accepts what is queued and closes; completes when every socket is closed.
    CompletableFuture<Void> drain() {
        List<CompletableFuture<Void>> closed = new ArrayList<>();
        for (Socket socket : sockets) {
            CompletableFuture<Void> one = new CompletableFuture<>();
            closed.add(one);
            socket.channel().closeFuture().addListener(_ -> one.complete(null));
            socket.channel().eventLoop().execute(() -> socket.acceptor().drain(socket.channel()));
        }
        return CompletableFuture.allOf(closed.toArray(CompletableFuture[]::new));
    }
}
