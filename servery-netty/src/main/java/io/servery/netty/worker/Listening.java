package io.servery.netty.worker;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.servery.core.control.Shard;
import io.servery.netty.admission.ConnectionAdmission;
import io.servery.netty.listen.BoundSocket;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/// The listening sockets of a worker on its event loops: registered without reading, read and left alone as it is told,
/// and closed in a drain.
///
/// *Owner:* any thread but an event loop, one at a time. *Invariant:* a socket is read, or not, by what was said last.
final class Listening {
    private record Socket(Channel channel, Acceptor acceptor) {
        /// Runs this on the event loop of the socket; complete when it has.
        CompletableFuture<Void> run(Consumer<Socket> step) {
            return CompletableFuture.runAsync(() -> step.accept(this), channel.eventLoop());
        }
    }

    private final SortedMap<Shard, Socket> sockets = new TreeMap<>();

    private Listening() {
    }

    /// Registers all sockets; nothing is accepted yet. A group of several is accepted where it is served; the socket of a
    /// group of one hands its connections round.
    ///
    /// @param loops who serves a group
    /// @param workers that share the groups
    static Listening register(SortedMap<Shard, BoundSocket> shards, IntFunction<List<Loop>> loops, int workers,
            ConnectionAdmission admission, Consumer<Throwable> acceptErrors) {
        Listening listening = new Listening();
        shards.forEach((shard, bound) -> {
            List<Loop> all = loops.apply(shard.group());
            boolean alone = shards.keySet().stream().filter(other -> other.group() == shard.group()).count() == 1;
            List<Loop> served = alone ? turned(all, shard.group()) : List.of(home(all, shard, workers));
            listening.add(shard, bound, new Acceptor(served, admission, acceptErrors));
        });
        return listening;
    }

    /// Of a group, every worker-th shard is this worker's while all workers are well: those go to the loops in turn.
    private static Loop home(List<Loop> loops, Shard shard, int workers) {
        return loops.get(shard.index() / workers % loops.size());
    }

    private static List<Loop> turned(List<Loop> loops, int first) {
        List<Loop> turned = new ArrayList<>(loops);
        Collections.rotate(turned, -(first % loops.size()));
        return turned;
    }

    private void add(Shard shard, BoundSocket bound, Acceptor acceptor) {
        ServerChannel channel = switch (bound) {
            case BoundSocket.Tcp(int descriptor) -> new EpollServerSocketChannel(descriptor);
            case BoundSocket.Unix(int descriptor) -> new EpollServerDomainSocketChannel(descriptor, true);
            case BoundSocket.Nio nio -> new NioServerSocketChannel(nio.channel());
        };
        channel.config().setAutoRead(false);
        channel.pipeline().addLast(acceptor);
        EventLoop eventLoop = acceptor.eventLoop();
        eventLoop.register(channel).syncUninterruptibly();
        sockets.put(shard, new Socket(channel, acceptor));
    }

    /// Starts accepting from these.
    void read(Collection<Shard> shards) {
        for (Shard shard : shards) {
            var _ = socket(shard).run(one -> one.acceptor().read(one.channel(), true));
        }
    }

    /// Stops accepting from these; complete when nothing more can be accepted.
    CompletableFuture<Void> leave(Collection<Shard> shards) {
        return all(shards.stream().map(shard -> socket(shard).run(one -> one.acceptor().read(one.channel(), false)))
                .toList());
    }

    /// Whether each of these is here.
    boolean holds(Collection<Shard> shards) {
        return sockets.keySet().containsAll(shards);
    }

    private Socket socket(Shard shard) {
        return Objects.requireNonNull(sockets.get(shard), shard::toString);
    }

    List<Shard> shards() {
        return List.copyOf(sockets.keySet());
    }

    /// Accepts what is queued at the sockets that are read, then closes all; complete when every socket is closed.
    ///
    /// @param emptied told which were read and are no more, before they are closed; not at all where none was
    CompletableFuture<Void> drain(Consumer<List<Shard>> emptied) {
        SortedMap<Shard, CompletableFuture<Boolean>> quiet = new TreeMap<>();
        sockets.forEach((shard, socket) -> {
            CompletableFuture<Boolean> read = new CompletableFuture<>();
            quiet.put(shard, read);
            var _ = socket.run(one -> one.acceptor().drain(one.channel(), read::complete));
        });
        return all(List.copyOf(quiet.values())).thenCompose(_ -> {
            List<Shard> were = quiet.entrySet().stream().filter(one -> one.getValue().join()).map(one -> one.getKey())
                    .toList();
            if (!were.isEmpty()) {
                emptied.accept(were);
            }
            return close();
        });
    }

    private CompletableFuture<Void> close() {
        return all(sockets.values().stream().map(socket -> {
            CompletableFuture<Void> closed = new CompletableFuture<>();
            socket.channel().close().addListener(_ -> closed.complete(null));
            return closed;
        }).toList());
    }

    private static CompletableFuture<Void> all(List<? extends CompletableFuture<?>> each) {
        return CompletableFuture.allOf(each.toArray(CompletableFuture[]::new));
    }
}
