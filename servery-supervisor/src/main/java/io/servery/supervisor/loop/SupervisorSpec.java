package io.servery.supervisor.loop;

import io.servery.core.config.Endpoint;
import io.servery.supervisor.listen.ListenAddress;
import io.servery.supervisor.listen.ListenerTable;
import java.nio.file.Path;
import java.util.function.Function;

/// Everything that a parent is made from.
///
/// @param runtimeDirectory private to this user, locked
/// @param build what workers must be of
/// @param resolver looks up the addresses of an endpoint, on a thread that may wait
/// @param table the sockets, whose owner is the loop
/// @param processors what "auto" in a configuration counts by
public record SupervisorSpec(Path runtimeDirectory, String build, int processors, Source source,
        Identities identities, Function<Endpoint, ListenAddress.Resolution> resolver, ListenerTable table,
        Launches launches, Companion companion, Observer observer, Hardening hardening) {
    /// What the process gives up once everything is bound, and before anything is spawned.
    @FunctionalInterface
    public interface Hardening {
        /// On the thread of the loop.
        void harden() throws ConfigurationRefusal;
    }

}
