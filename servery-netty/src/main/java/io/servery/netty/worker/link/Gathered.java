package io.servery.netty.worker.link;

import io.servery.core.control.ListenerRole;
import io.servery.core.control.Order;
import io.servery.core.control.Shard;
import io.servery.netty.listen.BoundSocket;
import io.servery.supervisor.listen.HandedSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The listening sockets that were handed over so far, each found to be what its order says.
///
/// *Owner*: the control thread. *Invariant*: none of them is read; whoever fails on them ends the process, and them with it.
final class Gathered {
    private final SortedMap<Shard, BoundSocket> sockets = new TreeMap<>();
    private final Map<Integer, ListenerRole> roles = new HashMap<>();
    private final Map<Integer, Integer> redirects = new HashMap<>();

    /// Takes over what one order brought.
    ///
    /// @return what is wrong, `listeners: found X; expected Y`; nothing when they are kept
    Optional<String> take(List<Order.Listener> listeners, List<Integer> descriptors) {
        if (descriptors.size() != listeners.size()) {
            return Optional.of("listeners: found " + descriptors.size() + " descriptors; expected " + listeners.size());
        }
        for (int i = 0; i < listeners.size(); i++) {
            Order.Listener listener = listeners.get(i);
            int descriptor = descriptors.get(i);
            // The first of a group listens; one by which a group grows does so when it gets its first reader.
            boolean later = sockets.keySet().stream().anyMatch(shard -> shard.group() == listener.shard().group());
            Optional<String> fault = HandedSocket.fault(descriptor, listener.address(), later);
            if (fault.isPresent()) {
                return fault.map(words -> "listeners: " + name(listener.shard()) + ": " + words);
            }
            if (roles.computeIfAbsent(listener.shard().group(), _ -> listener.role()) != listener.role()) {
                return Optional.of("listeners: " + name(listener.shard()) + ": found it for " + listener.role()
                        + "; expected it for what the others of its group are for");
            }
            if (listener.role() == ListenerRole.REDIRECT) {
                redirects.put(listener.shard().group(), port(listener.address()));
            }
            BoundSocket socket = listener.address().startsWith("unix:")
                    ? new BoundSocket.Unix(descriptor)
                    : new BoundSocket.Tcp(descriptor);
            if (sockets.putIfAbsent(listener.shard(), socket) != null) {
                return Optional.of("listeners: " + name(listener.shard()) + ": found it twice; expected each once");
            }
        }
        return Optional.empty();
    }

    /// What is wrong when these should be all.
    ///
    /// @param surplus descriptors that came beside no order
    Optional<String> fault(List<Shard> expected, int surplus) {
        if (surplus > 0) {
            return Optional.of("listeners: found " + surplus + " descriptors that belong to no order");
        }
        List<Shard> missing = new ArrayList<>(expected);
        missing.removeAll(sockets.keySet());
        if (!missing.isEmpty()) {
            return Optional.of("listeners: found " + sockets.size() + "; expected " + expected.size() + ", also "
                    + name(missing.getFirst()));
        }
        return sockets.size() > expected.size()
                ? Optional.of("listeners: found " + sockets.size() + "; expected no more than " + expected.size())
                : Optional.empty();
    }

    SortedMap<Shard, BoundSocket> sockets() {
        return sockets;
    }

    /// The groups whose connections are redirected, and the port of each.
    Map<Integer, Integer> redirects() {
        return redirects;
    }

    /// The sockets were found to be what their addresses say: those of TCP end with a port.
    private static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    private static String name(Shard shard) {
        return "socket " + shard.index() + " of group " + shard.group();
    }
}
