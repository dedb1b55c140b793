package io.servery.netty.run;

import io.servery.core.config.Logging;
import io.servery.core.config.ServeryConfig;
import io.servery.core.metric.BuildInfo;
import io.servery.netty.listen.ListenerGroup;
import io.servery.netty.observe.Event;
import io.servery.netty.observe.Events;
import io.servery.netty.start.AotCache;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/// What a start says of itself: one fact a line for people, events otherwise; the last one is that it is ready.
record StartFacts(Events events, ServeryConfig config, BuildInfo build) {
    /// The word for the admin listener, beside those of `ListenerRole`.
    static final String ADMIN = "admin";

    /// The addresses that are listened on, before anything is accepted.
    ///
    /// @param workers how many there are, and what each has
    void listening(List<Address> addresses, String workers) {
        if (!events.forPeople()) {
            addresses.forEach(this::started);
            return;
        }
        events.line("servery " + build.version() + " (Java " + build.java() + ", Netty " + build.netty() + ")");
        events.line("profile " + config.profile().name().toLowerCase(Locale.ROOT));
        addresses.forEach(address -> events.line(switch (address.listener()) {
            case "http" -> "serving ";
            case "redirect" -> "redirecting ";
            default -> "admin ";
        } + address.url()));
        events.line(workers);
    }

    /// @param listener `http`, `redirect` or `admin`
    /// @param url as people open it
    record Address(String listener, String url, int sockets) {
        static Address of(String scheme, String listener, ListenerGroup group) {
            return new Address(listener, group.url(scheme), group.shards().size());
        }
    }

    /// `workers 2 with 1 event loop each (epoll)`.
    static String workers(int workers, int eventLoops, String transport) {
        return "workers " + workers + " with " + eventLoops + (eventLoops == 1 ? " event loop" : " event loops")
                + (workers == 1 ? " (" : " each (") + transport + ")";
    }

    private void started(Address address) {
        events.emit(
                Event.of(Logging.Level.INFO, "listener.started").with("listener", address.listener())
                        .with("address", address.url()).with("count", address.sockets()));
    }

    void ready() {
        AotCache.State aot = AotCache.state();
        AotCache.rejection().ifPresent(events::emit);
        long millis = Duration.between(processStart(), Instant.now()).toMillis();
        if (events.forPeople()) {
            events.line("ready in " + millis + " ms" + (aot == AotCache.State.USED ? " (AOT cache)" : ""));
        } else {
            events.emit(state("ready").with("version", build.version()).with("duration_ms", millis)
                    .with("aot", aot.name().toLowerCase(Locale.ROOT)));
        }
    }

    static Event state(String word) {
        return Event.of(Logging.Level.INFO, "runtime.state_changed").with("state", word);
    }

    /// The start of the process, which a replacement of its program does not change.
    private static Instant processStart() {
        return ProcessHandle.current().info().startInstant().orElseGet(Instant::now);
    }
}
