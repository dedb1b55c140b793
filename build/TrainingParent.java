import io.servery.core.config.Configuration;
import io.servery.core.config.ConfigurationInputs;
import io.servery.core.config.Outcome;
import io.servery.core.control.ListenerRole;
import io.servery.core.control.Order;
import io.servery.core.control.Report;
import io.servery.core.control.Shard;
import io.servery.core.tls.Identity;
import io.servery.core.tls.SelfSigned;
import io.servery.core.tls.TicketKeys;
import io.servery.supervisor.channel.ControlChannel;
import io.servery.supervisor.channel.Poller;
import io.servery.supervisor.channel.UnixSocket;
import io.servery.supervisor.listen.BindResult;
import io.servery.supervisor.listen.BoundAddress;
import io.servery.supervisor.listen.ListenAddress;
import io.servery.supervisor.listen.ListenerTable;
import io.servery.supervisor.listen.WantedAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The parent of the one worker that trains (AotTraining): it has it prepare, commit, read and leave, and decides nothing.
final class TrainingParent implements AutoCloseable {
    private static final int BACKLOG = 64;
    private static final int GENERATION = 1;
    private static final int SLOT = 0;
    static final String OTHER = "other.example";
    private static final Duration LIFETIME = Duration.ofDays(1);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration PARTING = Duration.ofMillis(200);

    private final ListenerTable table = new ListenerTable();
    private final Poller poller = new Poller();
    private final ArrayDeque<Report> reports = new ArrayDeque<>();
    private final UnixSocket door;
    private ControlChannel<Report, Order> channel;
    private List<Shard> held = List.of();

    TrainingParent(Path control) throws IOException {
        door = UnixSocket.listen(control, 1);
    }

    /// From the worker's connection until it serves.
    ///
    /// @return the port
    int serve(Path file) throws IOException {
        Outcome outcome = Configuration.load(new ConfigurationInputs(Optional.of(file), Map.of(), List.of(), file.getParent(), false));
        if (!(outcome instanceof Outcome.Accepted accepted)) {
            throw new IOException("the configuration of the training was refused: " + outcome);
        }
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        if (!(table.bind(WantedAddress.all(ListenerRole.SERVICE.key(), List.of(new ListenAddress.Tcp(address, "127.0.0.1"))), 1, BACKLOG) instanceof BindResult.Bound(List<Shard> shards))) {
            throw new IOException("found no port to train at");
        }
        held = shards;
        while (channel == null) {
            await(door.descriptor(), this::accept);
        }
        await(Report.Hello.class);
        send(new Order.TakeListeners(shards.stream().map(shard -> new Order.Listener(shard, ListenerRole.SERVICE, table.address(shard.group()).text())).toList()),
                shards.stream().map(table::descriptor).toList());
        send(identities(), List.of());
        send(new Order.Prepare(GENERATION, SLOT, accepted.effective().workerText(), shards), List.of());
        await(Report.Prepared.class);
        send(new Order.Commit(), List.of());
        await(Report.Ready.class);
        send(new Order.Adopt(shards), List.of());
        send(new Order.TakeSnapshot(), List.of());
        await(Report.MetricsSnapshot.class);
        return ((BoundAddress.Tcp) table.address(shards.getFirst().group())).address().getPort();
    }

    /// Has the worker leave its sockets and read them again, as beside another; then leave for good, until it is gone.
    void drain() throws IOException {
        send(new Order.Release(1, held), List.of());
        await(Report.Released.class);
        send(new Order.Adopt(held), List.of());
        send(new Order.Drain(PATIENCE, PARTING), List.of());
        await(Report.Drained.class);
    }

    /// One by default, and one that is chosen by its name.
    private static Order.Identify identities() {
        SecureRandom random = new SecureRandom();
        Instant now = Instant.now();
        return new Order.Identify(1, List.of(shown(List.of(), SelfSigned.make(List.of(), now, LIFETIME, random)),
                shown(List.of(OTHER), SelfSigned.make(List.of(OTHER), now, LIFETIME, random))), "",
                TicketKeys.first(now, random).accepted().stream().map(key -> HexFormat.of().formatHex(key.bytes())).toList());
    }

    private static Order.Shown shown(List<String> names, Identity identity) {
        return new Order.Shown(names, identity.certificatesPem(), identity.keyPem());
    }

    private void accept() {
        try {
            UnixSocket accepted = door.accept();
            channel = accepted == null ? null : ControlChannel.ofParent(accepted);
        } catch (IOException failed) {
            throw new IllegalStateException("control socket: " + failed.getMessage(), failed);
        }
    }

    private void send(Order order, List<Integer> descriptors) {
        channel.send(order, descriptors);
        channel.flush();
    }

    private void await(Class<? extends Report> wanted) throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end && channel.end() == null) {
            for (Report report = reports.poll(); report != null; report = reports.poll()) {
                if (wanted.isInstance(report)) {
                    return;
                }
                if (report instanceof Report.Failed failed) {
                    throw new IOException("the training worker failed: " + failed);
                }
            }
            await(channel.socket().descriptor(), () -> channel.receive(reports::add));
        }
        throw new IOException("the training worker: found " + channel.end() + "; expected " + wanted.getSimpleName());
    }

    private void await(int descriptor, Runnable whenReady) throws IOException {
        poller.await(List.of(new Watch(descriptor, whenReady)), Duration.ofSeconds(1));
    }

    private record Watch(int descriptor, Runnable whenReady) implements Poller.Watched {
        @Override
        public void ready(boolean readable, boolean writable) {
            whenReady.run();
        }
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
        door.close();
        poller.close();
        table.closeAll();
    }
}
