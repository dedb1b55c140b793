package io.servery.supervisor.loop;

import io.servery.core.lifecycle.Cause;
import io.servery.core.lifecycle.Condition;
import io.servery.core.lifecycle.Fact;
import java.util.Optional;
import java.util.OptionalInt;

/// Whoever tells people and programs what happens to the fleet: events, the service manager, readiness.
///
/// *Owner*: the loop calls, so nothing here waits.
public interface Observer {
    /// The service is this now.
    ///
    /// @param why of a failure
    /// @param ends whether the service goes for good: one that an operator drained stays
    void published(Condition condition, Optional<Cause> why, boolean ends);

    /// Something that operators want to know of.
    ///
    /// @param pid of the worker that the fact is about, as long as its process is there
    void noted(Fact fact, OptionalInt pid);

    /// An address is listened on that was not before; those of the start are told by whoever starts.
    ///
    /// @param listener `http`, `redirect` or `admin`
    /// @param url as people open it
    void opened(String listener, String url, int sockets);

    /// An address takes no more connections.
    ///
    /// @param listener `http`, `redirect` or `admin`
    /// @param url as people open it
    void closed(String listener, String url);

    /// An address is not as it should be: a socket does not listen, the file of a Unix socket could not be removed.
    ///
    /// @param what which, and what is wrong
    void failed(String what);

    /// A change of configuration has ended.
    void concluded(Conclusion conclusion);

    /// The loop has turned: it does so at least once a second.
    void turned();

    /// An error of the parent itself that it bears.
    void troubled(String what);
}
