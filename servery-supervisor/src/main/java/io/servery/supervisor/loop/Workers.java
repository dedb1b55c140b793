package io.servery.supervisor.loop;

import io.servery.core.config.ConfigurationChange;
import io.servery.core.control.Bounds;
import io.servery.core.control.ListenerRole;
import io.servery.core.control.Order;
import io.servery.core.control.Shard;
import io.servery.core.lifecycle.Effect.Severity;
import io.servery.core.lifecycle.ExitStatus;
import io.servery.core.lifecycle.Plan;
import io.servery.core.lifecycle.WorkerId;
import io.servery.core.operator.FleetStatus;
import io.servery.supervisor.channel.Poller;
import io.servery.supervisor.channel.UnixSocket;
import io.servery.supervisor.listen.ListenerTable;
import io.servery.supervisor.loop.Revisions.Revision;
import io.servery.supervisor.posix.PosixException;
import io.servery.supervisor.process.ChildProcess;
import io.servery.supervisor.process.Command;
import io.servery.supervisor.process.Ended;
import io.servery.supervisor.process.Processes;
import io.servery.supervisor.process.Signal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The worker processes that there are, and the socket at which they find their parent.
///
/// *Owner*: the loop. *Invariant*: a connection whose process is none of ours is closed unread.
final class Workers implements AutoCloseable {
    private static final String SOCKET_NAME = "control.sock";

    private final Door door;
    private final String build;
    private final WorkerHandle.Hearing hearing;
    private final Processes processes = new Processes();
    private final TreeMap<WorkerId, WorkerHandle> byId = new TreeMap<>();
    private final boolean takesOrphans = Processes.takesOrphans();
    /// Whether a process may have ended since it was last looked for.
    private boolean someEnded;

    /// @param directory private to this user
    /// @param build what a worker must be of
    /// @param troubled told when workers cannot be let in
    Workers(Path directory, String build, WorkerHandle.Hearing hearing, Consumer<String> troubled)
            throws IOException {
        this.door = new Door(directory.resolve(SOCKET_NAME), () -> true, this::welcome, troubled);
        this.build = build;
        this.hearing = hearing;
    }

    Path controlSocket() {
        return door.path();
    }

    void spawn(WorkerId id, Command command, Revision revision) throws PosixException {
        byId.put(id, new WorkerHandle(id, processes.spawn(command), revision, build, hearing));
    }

    /// Sends all shards of a plan with their sockets, as many at once as one message carries, then what the worker is to
    /// show and to answer, then the configuration.
    void handOver(WorkerId id, Plan plan, Revision revision, Optional<Order.Post> challenges, ListenerTable table) {
        WorkerHandle worker = byId.get(id);
        if (worker == null) {
            return;
        }
        List<Shard> shards = plan.shards();
        for (int from = 0; from < shards.size(); from += Bounds.DESCRIPTORS_MAX) {
            List<Shard> part = shards.subList(from, Math.min(shards.size(), from + Bounds.DESCRIPTORS_MAX));
            worker.send(new Order.TakeListeners(part.stream()
                    .map(shard -> new Order.Listener(shard, role(table, shard), table.address(shard.group()).text()))
                    .toList()),
                    part.stream().map(table::descriptor).toList());
        }
        worker.has(revision);
        revision.identities().ifPresent(order -> worker.send(order, List.of()));
        challenges.ifPresent(order -> worker.send(order, List.of()));
        worker.send(new Order.Prepare(id.generation(), id.slot(), revision.text(), shards), List.of());
    }

    /// A plan has public addresses only.
    private static ListenerRole role(ListenerTable table, Shard shard) {
        return ListenerRole.ofKey(table.key(shard.group())).orElseThrow();
    }

    void send(WorkerId id, Order order) {
        WorkerHandle worker = byId.get(id);
        if (worker != null) {
            worker.send(order, List.of());
        }
    }

    /// Sends what differs from the configuration that the worker has.
    void push(WorkerId id, Revision revision) {
        WorkerHandle worker = byId.get(id);
        if (worker != null && ConfigurationChange.between(worker.revision().effective(),
                revision.effective()) instanceof ConfigurationChange.Hot hot) {
            if (!hot.settings().isEmpty()) {
                worker.send(new Order.Push(hot.settings()), List.of());
            }
            identify(worker, revision);
        }
    }

    /// Sends what a configuration shows to peers to every worker of it that shows something else.
    ///
    /// @return whom
    List<WorkerId> identify(Revision revision) {
        List<WorkerId> told = new ArrayList<>();
        for (WorkerHandle worker : byId.values()) {
            if (worker.isIntroduced() && worker.revision().number() == revision.number()) {
                identify(worker, revision);
                told.add(worker.id());
            }
        }
        return told;
    }

    private static void identify(WorkerHandle worker, Revision revision) {
        boolean other = !worker.revision().identities().equals(revision.identities());
        worker.has(revision);
        if (other) {
            revision.identities().ifPresent(order -> worker.send(order, List.of()));
        }
    }

    /// Tells every worker that has come which challenges to answer.
    ///
    /// @return whom
    List<WorkerId> post(Order.Post order) {
        List<WorkerId> told = new ArrayList<>();
        for (WorkerHandle worker : byId.values()) {
            if (worker.isIntroduced()) {
                worker.send(order, List.of());
                told.add(worker.id());
            }
        }
        return told;
    }

    /// Asks every worker that can be heard what it has counted.
    ///
    /// @return whom
    List<WorkerId> askForCounts() {
        List<WorkerId> asked = new ArrayList<>();
        for (WorkerHandle worker : byId.values()) {
            if (worker.isIntroduced() && worker.reads()) {
                worker.send(new Order.TakeSnapshot(), List.of());
                asked.add(worker.id());
            }
        }
        return asked;
    }

    void signal(WorkerId id, Severity severity) {
        WorkerHandle worker = byId.get(id);
        if (worker != null) {
            worker.process().signal(switch (severity) {
                case TERM -> Signal.TERM;
                case KILL -> Signal.KILL;
            });
        }
    }

    /// Every process that there is.
    Map<WorkerId, FleetStatus.WorkerProcess> processes() {
        Map<WorkerId, FleetStatus.WorkerProcess> processes = new TreeMap<>();
        byId.values().forEach(worker -> processes.put(worker.id(),
                new FleetStatus.WorkerProcess(worker.process().pid(), worker.since())));
        return processes;
    }

    OptionalInt pid(WorkerId id) {
        WorkerHandle worker = byId.get(id);
        return worker == null ? OptionalInt.empty() : OptionalInt.of(worker.process().pid());
    }

    /// Who is told of the end of a worker, whose pid may be another's from then on.
    interface Mourner {
        void ended(WorkerId worker, int pid, ExitStatus status);
    }

    /// Tells of every worker that has ended, after all that it had sent, and forgets it.
    void reap(Mourner ended) throws PosixException {
        if (someEnded || hasNoDescriptor()) {
            someEnded = false;
            reapOurs(ended);
        }
        if (takesOrphans) {
            processes.reapStrangers();
        }
    }

    private void reapOurs(Mourner ended) throws PosixException {
        for (Ended one : processes.reap()) {
            WorkerHandle worker = ofPid(one.child().pid());
            if (worker != null) {
                worker.receiveLast();
                byId.remove(worker.id());
                worker.close();
                ended.ended(worker.id(), one.child().pid(), one.status());
            }
        }
    }

    /// Without a pidfd its end is found out by asking, each turn.
    private boolean hasNoDescriptor() {
        for (WorkerHandle worker : byId.values()) {
            if (worker.process().descriptor() < 0) {
                return true;
            }
        }
        return false;
    }

    /// What the loop waits for.
    List<Poller.Watched> watched() {
        List<Poller.Watched> watched = new ArrayList<>(List.of(door));
        for (WorkerHandle worker : byId.values()) {
            watched.add(worker);
            watched.add(new End(worker.process()));
        }
        return watched;
    }

    /// The end of a process: it wakes the loop, which reaps.
    private final class End implements Poller.Watched {
        private final ChildProcess process;

        End(ChildProcess process) {
            this.process = process;
        }

        @Override
        public int descriptor() {
            return process.descriptor();
        }

        @Override
        public void ready(boolean readable, boolean writable) {
            someEnded = true;
        }
    }

    private void welcome(UnixSocket connection) throws PosixException {
        WorkerHandle worker = ofPid(connection.peer().pid());
        if (worker == null || !worker.awaitsChannel()) {
            connection.close();
        } else {
            worker.connected(connection);
        }
    }

    private @Nullable WorkerHandle ofPid(int pid) {
        for (WorkerHandle worker : byId.values()) {
            if (worker.process().pid() == pid) {
                return worker;
            }
        }
        return null;
    }

    /// Lets go of all; a process that is still there survived KILL, and nobody waits for it.
    @Override
    public void close() {
        byId.values().forEach(WorkerHandle::close);
        byId.clear();
        door.close();
    }
}
