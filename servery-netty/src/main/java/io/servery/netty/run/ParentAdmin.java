package io.servery.netty.run;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.servery.admin.Health;
import io.servery.admin.MetricsGathering;
import io.servery.core.config.Metrics;
import io.servery.core.config.ServeryConfig;
import io.servery.core.control.Order;
import io.servery.core.control.Shard;
import io.servery.core.fault.ExitCode;
import io.servery.http.http1.Http1Limits;
import io.servery.netty.listen.BoundSocket;
import io.servery.netty.observe.Events;
import io.servery.netty.worker.AdminListener;
import io.servery.supervisor.listen.BindResult;
import io.servery.supervisor.listen.BoundAddress;
import io.servery.supervisor.listen.ListenAddress;
import io.servery.supervisor.listen.ListenerTable;
import io.servery.supervisor.listen.WantedAddress;
import io.servery.supervisor.loop.Companion;
import io.servery.supervisor.posix.Descriptors;
import io.servery.supervisor.posix.PosixException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The part of the parent that follows its configuration: the admin listener, and the level of the events.
///
/// *Owner*: the loop of the parent; answering has an event loop of its own.
final class ParentAdmin implements Companion {
    private static final String KEY = "metrics";
    private static final int BACKLOG = 64;
    private static final long END_MILLIS = 2000;

    private final ListenerTable table;
    private final Supplier<Health> health;
    private final Supplier<? extends MetricsGathering> reports;
    private final Events events;
    private @Nullable EventLoopGroup group;
    private @Nullable Serving serving;

    /// A configuration and its sockets, empty where it asks for no admin listener, which there is once it holds.
    private static final class Serving {
        private final ServeryConfig config;
        private final List<Shard> shards;
        private @Nullable AdminListener listener;

        Serving(ServeryConfig config, List<Shard> shards) {
            this.config = config;
            this.shards = shards;
        }
    }

    ParentAdmin(ListenerTable table, Supplier<Health> health, Supplier<? extends MetricsGathering> reports,
            Events events) {
        this.table = table;
        this.health = health;
        this.reports = reports;
        this.events = events;
    }

    @Override
    public Offer offer(ServeryConfig config) {
        if (!(config.metrics() instanceof Metrics.On on)) {
            return new Change(new Serving(config, List.of()));
        }
        // Looked up by the loop: a name here is one of this host's own, such as localhost.
        return switch (ListenAddress.of(KEY, on.endpoint(), Map.of())) {
            case ListenAddress.Unresolved(BindResult.Refused(String message, ExitCode code)) ->
                new Refused(message, code);
            case ListenAddress.Resolved(List<ListenAddress> addresses) ->
                switch (table.bind(WantedAddress.all(KEY, addresses), 1, BACKLOG)) {
                    case BindResult.Refused(String message, ExitCode code) -> new Refused(message, code);
                    case BindResult.Bound(List<Shard> shards) -> new Change(new Serving(config, shards));
                };
        };
    }

    /// The listener that a configuration asks for, open; null where it asks for none, or the process has no descriptor left.
    private @Nullable AdminListener opened(Serving next) {
        if (!(next.config.metrics() instanceof Metrics.On on)) {
            return null;
        }
        try {
            AdminListener listener = AdminListener.of(new AdminListener.Spec(on, duplicates(next.shards),
                    next.shards.stream().allMatch(this::onLoopback), group().next(),
                    Http1Limits.of(next.config.resources()), health, reports, events));
            listener.open();
            return listener;
        } catch (PosixException noDescriptor) {
            events.bug(noDescriptor);
            return null;
        }
    }

    /// Made at first use: it loads the native library of the transport, which is unpacked by then.
    private EventLoopGroup group() {
        EventLoopGroup made = group;
        if (made == null) {
            ThreadFactory thread = loop -> new FastThreadLocalThread(loop, "servery-admin-loop");
            made = new MultiThreadIoEventLoopGroup(1, thread, EpollIoHandler.newFactory());
            group = made;
        }
        return made;
    }

    private boolean onLoopback(Shard shard) {
        return table.address(shard.group()) instanceof BoundAddress.Tcp tcp
                && tcp.address().getAddress().isLoopbackAddress();
    }

    /// The table keeps its own, so that the same address can serve another configuration.
    private SortedMap<Shard, BoundSocket> duplicates(List<Shard> shards) throws PosixException {
        SortedMap<Shard, BoundSocket> duplicates = new TreeMap<>();
        List<Integer> made = new ArrayList<>();
        try {
            for (Shard shard : shards) {
                int descriptor = Descriptors.duplicate(table.descriptor(shard));
                made.add(descriptor);
                duplicates.put(shard, table.address(shard.group()) instanceof BoundAddress.Unix
                        ? new BoundSocket.Unix(descriptor)
                        : new BoundSocket.Tcp(descriptor));
            }
            return duplicates;
        } catch (PosixException noDescriptor) {
            made.forEach(Descriptors::close);
            throw noDescriptor;
        }
    }

    /// From what holds to something else.
    private final class Change implements Made {
        private final Serving next;

        Change(Serving next) {
            this.next = next;
        }

        @Override
        public void take(Optional<Order.Identify> identities) {
            Serving before = serving;
            serving = next;
            events.level(next.config.logging().level());
            if (before != null && before.listener != null && before.config.metrics().equals(next.config.metrics())) {
                next.listener = before.listener;
                return;
            }
            next.listener = opened(next);
            if (before != null) {
                closeShards(before, next);
                closeLater(before.listener);
            }
        }

        @Override
        public void decline() {
            closeShards(next, serving);
        }
    }

    /// Closes the sockets of one that the other has not.
    private void closeShards(Serving gone, @Nullable Serving kept) {
        List<Shard> shards = gone.shards.stream().filter(shard -> kept == null || !kept.shards.contains(shard))
                .toList();
        try {
            table.close(shards);
        } catch (IOException left) {
            events.bug(left);
        }
    }

    /// It waits for connections, which the loop must not.
    private static void closeLater(@Nullable AdminListener listener) {
        if (listener != null) {
            Thread.ofVirtual().start(() -> close(listener));
        }
    }

    private static void close(AdminListener listener) {
        try {
            listener.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Answers to the very end: what the parent says last is that it failed, or that it has stopped.
    void end() throws InterruptedException {
        if (serving != null && serving.listener != null) {
            serving.listener.close();
        }
        if (group != null) {
            group.shutdownGracefully(0, END_MILLIS, TimeUnit.MILLISECONDS).await(END_MILLIS);
        }
    }
}
