package io.servery.supervisor.listen;

import io.servery.core.control.Shard;
import io.servery.supervisor.posix.Descriptors;
import io.servery.supervisor.posix.PosixException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The shards of one address.
///
/// *Owner*: the [ListenerTable]. *Invariant*: an index is never used twice.
final class ListenerGroup {
    private final int number;
    private final BoundAddress address;
    private final ListenAddress wanted;
    /// Of a Unix socket that was bound, not inherited.
    private final @Nullable UnixPath file;
    private final SortedMap<Integer, Integer> descriptors = new TreeMap<>();
    /// Those that are bound and do not listen yet.
    private final Set<Integer> quiet = new HashSet<>();
    private int indexNext;
    private int backlog;

    /// @param wanted what was bound, or inherited
    ListenerGroup(int number, ListenAddress wanted, List<Integer> first, int backlog) throws PosixException {
        this.number = number;
        this.wanted = wanted;
        this.backlog = backlog;
        this.address = BoundAddress.of(first.getFirst());
        this.file = wanted instanceof ListenAddress.Unix unix ? UnixPath.bound(unix.path()) : null;
        first.forEach(this::append);
    }

    private void append(int descriptor) {
        descriptors.put(indexNext++, descriptor);
    }

    BoundAddress address() {
        return address;
    }

    @Nullable
    UnixPath file() {
        return file;
    }

    int descriptor(int index) {
        Integer descriptor = descriptors.get(index);
        if (descriptor == null) {
            throw new IllegalArgumentException("listen: found no shard " + new Shard(number, index));
        }
        return descriptor;
    }

    List<Shard> shards() {
        return descriptors.keySet().stream().map(index -> new Shard(number, index)).toList();
    }

    /// Brings the group to so many shards and to this length of its queues. None listens before all are bound.
    ///
    /// @param used whether somebody reads the shards that are there: then new ones wait for [#listen], as the kernel would
    /// give them connections that nobody reads yet
    /// @throws PosixException where one cannot be made; then the group is as it was
    void grow(int shards, int backlogWanted, boolean used) throws PosixException {
        List<Integer> more = new ArrayList<>();
        try {
            if (wanted instanceof ListenAddress.Tcp && address instanceof BoundAddress.Tcp tcp) {
                for (int missing = shards - descriptors.size(); missing > 0; missing--) {
                    more.add(ListeningSocket.next(tcp.address()));
                }
            }
            for (int i = 0; i < more.size() && !used; i++) {
                ListeningSocket.listen(more.get(i), backlogWanted);
            }
        } catch (PosixException failed) {
            more.forEach(Descriptors::close);
            throw failed;
        }
        if (backlog != backlogWanted) {
            for (Map.Entry<Integer, Integer> one : descriptors.entrySet()) {
                if (!quiet.contains(one.getKey())) {
                    ListeningSocket.listen(one.getValue(), backlogWanted);
                }
            }
            backlog = backlogWanted;
        }
        for (int descriptor : more) {
            if (used) {
                quiet.add(indexNext);
            }
            append(descriptor);
        }
    }

    /// From now on the kernel gives connections to this shard, too.
    void listen(int index) throws PosixException {
        if (quiet.contains(index)) {
            ListeningSocket.listen(descriptor(index), backlog);
            quiet.remove(index);
        }
    }

    /// Closes one shard; a second time does nothing.
    ///
    /// @return whether it was the last, and the group is no more
    boolean close(int index) throws IOException {
        Integer descriptor = descriptors.remove(index);
        quiet.remove(index);
        if (descriptor != null) {
            Descriptors.close(descriptor);
        }
        if (descriptor == null || !descriptors.isEmpty()) {
            return false;
        }
        if (file != null) {
            file.remove();
        }
        return true;
    }
}
