package io.servery.netty.worker;

import io.servery.core.config.ServeryConfig;
import io.servery.core.control.Order;
import io.servery.core.control.Shard;
import io.servery.core.metric.BuildInfo;
import io.servery.netty.listen.BoundSocket;
import io.servery.netty.listen.ListenerGroup;
import io.servery.netty.observe.Events;
import java.io.OutputStream;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Everything that a worker is made from.
///
/// @param listeners the public listeners; the worker owns these sockets from now on, their maker keeps their files
/// @param redirects the groups whose connections are redirected to HTTPS, and the port of each, which is the same on all hosts
/// @param adminListeners the same for the admin listener; empty without one, whatever the configuration says
/// @param identities what it shows where it speaks TLS
/// @param workers how many workers share the listeners: it decides which event loop reads which
/// @param epoll which transport the sockets were bound for
/// @param eventLoops how many event loops to run
/// @param accessOut where lines of the access log go
public record WorkerSpec(ServeryConfig config, SortedMap<Shard, BoundSocket> listeners,
        Map<Integer, Integer> redirects, List<ListenerGroup> adminListeners, Optional<Order.Identify> identities,
        int workers,
        boolean epoll,
        int eventLoops, BuildInfo build, Events events,
        OutputStream accessOut) {
    public WorkerSpec {
        listeners = Collections.unmodifiableSortedMap(new TreeMap<>(listeners));
        redirects = Map.copyOf(redirects);
        adminListeners = List.copyOf(adminListeners);
    }

    /// The sockets of groups that one worker has for itself, numbered in their order.
    public static SortedMap<Shard, BoundSocket> shards(List<ListenerGroup> groups) {
        SortedMap<Shard, BoundSocket> shards = new TreeMap<>();
        for (int group = 0; group < groups.size(); group++) {
            List<BoundSocket> sockets = groups.get(group).shards();
            for (int index = 0; index < sockets.size(); index++) {
                shards.put(new Shard(group, index), sockets.get(index));
            }
        }
        return shards;
    }
}
