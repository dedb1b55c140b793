package io.servery.netty.run;

import io.servery.launcher.OsSignal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The signals of a parent, from its first moment on: what comes before there is a loop is kept for it, so that a start ends
/// like a service, with nothing left behind.
///
/// *Owner*: any thread.
final class ParentSignals {
    private final List<Consumer<Receiver>> kept = new ArrayList<>();
    private @Nullable Receiver receiver;

    /// Whoever acts on them, on any thread.
    record Receiver(Runnable stop, Runnable reload) {
    }

    /// TERM and INT stop, HUP reloads.
    void listen() {
        OsSignal.handle("TERM", () -> came(one -> one.stop().run()));
        OsSignal.handle("INT", () -> came(one -> one.stop().run()));
        OsSignal.handle("HUP", () -> came(one -> one.reload().run()));
    }

    /// A signal came, on any thread.
    synchronized void came(Consumer<Receiver> signal) {
        if (receiver == null) {
            kept.add(signal);
        } else {
            signal.accept(receiver);
        }
    }

    /// From now on signals go there, first those that came before, in their order.
    synchronized void deliverTo(Receiver one) {
        receiver = one;
        kept.forEach(signal -> signal.accept(one));
        kept.clear();
    }
}
