package io.servery.supervisor.listen;

import io.servery.core.control.Shard;
import io.servery.core.fault.ExitCode;
import io.servery.supervisor.posix.Descriptors;
import io.servery.supervisor.posix.Errno;
import io.servery.supervisor.posix.PosixException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Every listening socket of the service, in groups of an address each.
///
/// *Owner*: one thread. *Invariant*: the number of a group is never used for another address; a group grows by appending and
/// never shrinks while its address is wanted.
public final class ListenerTable {
    /// What a group is known by. The same address under another key is another listener, and in use.
    private record Identity(String key, String kind, String text, int port) {
        static Identity of(WantedAddress wanted) {
            String key = wanted.key();
            return switch (wanted.address()) {
                case ListenAddress.Tcp tcp -> new Identity(key, "tcp", tcp.host(), tcp.resolved().getPort());
                case ListenAddress.Unix unix -> new Identity(key, "unix", unix.path().toString(), 0);
                case ListenAddress.Inherited inherited -> new Identity(key, "inherited", inherited.name(), 0);
            };
        }
    }

    private final Map<Identity, Integer> numbers = new LinkedHashMap<>();
    private final NavigableMap<Integer, ListenerGroup> groups = new TreeMap<>();
    private int numberNext;

    /// Brings every address to as many shards as are wanted, or changes nothing that anyone could notice. An address that is
    /// bound already keeps its sockets and gets what it lacks, which listens from [#listen] on: until a worker reads it, a
    /// connection there would wait, and be reset if none ever does. Binding never waits.
    ///
    /// @param shardsPerAddress for TCP; a Unix socket is one, and what was inherited is as many as were
    /// @param backlog of every socket, those that listen already too
    public BindResult bind(List<WantedAddress> addresses, int shardsPerAddress, int backlog) {
        List<Shard> fresh = new ArrayList<>();
        List<Shard> shards = new ArrayList<>();
        WantedAddress at = null;
        try {
            for (WantedAddress address : addresses) {
                at = address;
                if (!numbers.containsKey(Identity.of(address))) {
                    fresh.addAll(open(address, backlog).shards());
                }
            }
            // Afterwards, since a shard that is closed again resets who came to it meanwhile.
            for (WantedAddress address : addresses) {
                at = address;
                int number = Objects.requireNonNull(numbers.get(Identity.of(address)), "it was opened above");
                ListenerGroup group = group(number);
                boolean used = fresh.stream().noneMatch(shard -> shard.group() == number);
                group.grow(shardsPerAddress, backlog, used);
                shards.addAll(group.shards());
            }
            return new BindResult.Bound(shards.stream().distinct().sorted().toList());
        } catch (IOException failed) {
            closeAgain(fresh);
            return refused(at, failed);
        }
    }

    private ListenerGroup open(WantedAddress wanted, int backlog) throws IOException {
        List<Integer> sockets = switch (wanted.address()) {
            case ListenAddress.Tcp tcp -> List.of(ListeningSocket.first(tcp.resolved(), backlog));
            case ListenAddress.Unix unix -> {
                UnixPath.removeStale(unix.path());
                yield List.of(ListeningSocket.unix(unix.path(), backlog));
            }
            case ListenAddress.Inherited inherited -> duplicates(inherited.descriptors());
        };
        try {
            ListenerGroup group = new ListenerGroup(numberNext, wanted.address(), sockets, backlog);
            groups.put(numberNext, group);
            numbers.put(Identity.of(wanted), numberNext);
            numberNext++;
            return group;
        } catch (PosixException failed) {
            sockets.forEach(Descriptors::close);
            throw failed;
        }
    }

    private static List<Integer> duplicates(List<Integer> inherited) throws PosixException {
        List<Integer> made = new ArrayList<>();
        try {
            for (int descriptor : inherited) {
                made.add(Descriptors.duplicate(descriptor));
            }
            return made;
        } catch (PosixException failed) {
            made.forEach(Descriptors::close);
            throw failed;
        }
    }

    private ListenerGroup group(@Nullable Integer number) {
        ListenerGroup group = number == null ? null : groups.get(number);
        if (group == null) {
            throw new IllegalArgumentException("listen: found no group " + number);
        }
        return group;
    }

    /// These shards are about to be read: those that do not listen yet begin to.
    public void listen(List<Shard> shards) throws PosixException {
        for (Shard shard : shards) {
            group(shard.group()).listen(shard.index());
        }
    }

    /// The descriptor of a shard, which stays the table's.
    public int descriptor(Shard shard) {
        return group(shard.group()).descriptor(shard.index());
    }

    /// Where the shards of a group listen, with the port that the system chose if it was asked to.
    public BoundAddress address(int group) {
        return group(group).address();
    }

    /// The file of the Unix socket of a group, for who takes its sockets over: null where there is none, or it is not ours.
    public @Nullable UnixPath file(int group) {
        return group(group).file();
    }

    /// How many sockets a group has.
    public int sockets(int group) {
        return group(group).shards().size();
    }

    /// The shards of each group, by its number.
    public Map<Integer, List<Shard>> groups() {
        Map<Integer, List<Shard>> shards = new TreeMap<>();
        groups.forEach((number, group) -> shards.put(number, group.shards()));
        return shards;
    }

    /// The name of the configuration by which the address of a group is wanted.
    public String key(int group) {
        return numbers.entrySet().stream().filter(entry -> entry.getValue() == group)
                .map(entry -> entry.getKey().key()).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("listen: found no group " + group));
    }

    /// All shards, ascending.
    public List<Shard> shards() {
        return groups.values().stream().flatMap(group -> group.shards().stream()).toList();
    }

    /// Closes shards, which resets the connections that wait in their queues unless a worker still has a duplicate. The file
    /// of a Unix socket goes with its group.
    ///
    /// @throws IOException naming the file that could not be removed; all shards are closed all the same
    public void close(List<Shard> shards) throws IOException {
        IOException failure = null;
        for (Shard shard : shards) {
            ListenerGroup group = groups.get(shard.group());
            try {
                if (group != null && group.close(shard.index())) {
                    forget(shard.group());
                }
            } catch (IOException kept) {
                forget(shard.group());
                failure = failure == null ? kept : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void forget(int group) {
        groups.remove(group);
        numbers.values().remove(group);
    }

    /// Closes all shards, as [#close].
    public void closeAll() throws IOException {
        close(shards());
    }

    private void closeAgain(List<Shard> fresh) {
        try {
            close(fresh);
        } catch (IOException kept) {
            // The reason why binding failed is the one to tell.
        }
    }

    private static BindResult refused(@Nullable WantedAddress wanted, IOException failed) {
        String message = wanted == null ? "" : wanted.key() + ": cannot listen on " + wanted.address().where() + ": ";
        int errno = failed instanceof PosixException posix ? posix.errno() : 0;
        return switch (errno) {
            case Errno.ENOENT -> new BindResult.Refused(message + "its directory does not exist",
                    ExitCode.UNAVAILABLE);
            case Errno.EACCES ->
                new BindResult.Refused(message + (wanted != null && wanted.address() instanceof ListenAddress.Unix
                        ? "permission denied"
                        : "permission denied (ports below 1024 need CAP_NET_BIND_SERVICE)"), ExitCode.PERMISSION);
            case Errno.EADDRINUSE -> new BindResult.Refused(
                    message + "the address is in use; stop the other process or choose another port",
                    ExitCode.UNAVAILABLE);
            case Errno.EADDRNOTAVAIL -> new BindResult.Refused(message + "this host has no such address",
                    ExitCode.UNAVAILABLE);
            default -> new BindResult.Refused(message + failed.getMessage(), ExitCode.UNAVAILABLE);
        };
    }
}
