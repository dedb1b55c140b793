package io.servery.supervisor.loop;

import io.servery.core.config.ServeryConfig;
import io.servery.core.control.ListenerRole;
import io.servery.core.control.Shard;
import io.servery.supervisor.listen.ListenerTable;
import io.servery.supervisor.posix.PosixException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/// The listening sockets as people are told of them: what is opened, what is closed, what there is.
///
/// *Owner*: the loop.
final class Listeners {
    private static final String ADMIN = "admin";
    private static final String PLAIN = "http";

    private final ListenerTable table;
    private final Observer observer;
    private final Supplier<ServeryConfig> serving;

    /// @param serving the configuration that serves, or that will first
    Listeners(ListenerTable table, Observer observer, Supplier<ServeryConfig> serving) {
        this.table = table;
        this.observer = observer;
        this.serving = serving;
    }

    /// A group was bound for a configuration.
    void opened(ServeryConfig config, int group) {
        observer.opened(word(group), url(config, group), table.sockets(group));
    }

    /// Workers are about to read these.
    void listen(List<Shard> shards) {
        try {
            table.listen(shards);
        } catch (PosixException notAll) {
            observer.failed("a socket that workers should read does not listen: " + notAll.getMessage());
        }
    }

    void close(List<Shard> shards) {
        Map<Integer, Runnable> told = new TreeMap<>();
        shards.forEach(shard -> told.computeIfAbsent(shard.group(), this::closedLater));
        try {
            table.close(shards);
        } catch (IOException kept) {
            observer.failed(String.valueOf(kept.getMessage()));
        }
        told.keySet().removeAll(table.groups().keySet());
        told.values().forEach(Runnable::run);
    }

    /// Tells of the end of a group with what can be said of it only while it is there.
    private Runnable closedLater(int group) {
        String word = word(group);
        String url = url(serving.get(), group);
        return () -> observer.closed(word, url);
    }

    /// The addresses of that role, as people open them.
    List<String> urls(ListenerRole role) {
        return table.groups().keySet().stream().filter(group -> table.key(group).equals(role.key()))
                .map(group -> url(serving.get(), group)).toList();
    }

    private String word(int group) {
        return ListenerRole.ofKey(table.key(group)).map(ListenerRole::word).orElse(ADMIN);
    }

    private String url(ServeryConfig config, int group) {
        return table.address(group).url(table.key(group).equals(ListenerRole.SERVICE.key()) ? config.scheme() : PLAIN);
    }
}
