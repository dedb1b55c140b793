package io.servery.netty.worker;

import io.servery.core.config.ServeryConfig;
import io.servery.core.metric.BuildInfo;
import io.servery.netty.listen.ListenerGroup;
import io.servery.netty.observe.Events;
import java.io.OutputStream;
import java.util.List;

/// Everything that a worker is made from.
///
/// @param listeners the public listeners; the worker owns their sockets from now on, their maker keeps their files
/// @param adminListeners the same for the admin listener; empty without one
/// @param epoll which transport the sockets were bound for
/// @param eventLoops how many event loops to run
/// @param accessOut where lines of the access log go
public record WorkerSpec(ServeryConfig config, List<ListenerGroup> listeners, List<ListenerGroup> adminListeners,
        boolean epoll, int eventLoops, BuildInfo build, Events events, OutputStream accessOut) {
    public WorkerSpec {
        listeners = List.copyOf(listeners);
        adminListeners = List.copyOf(adminListeners);
    }
}
