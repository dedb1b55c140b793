package io.servery.netty.run;

import sun.misc.Signal;

/// Handlers for the signals that operators and service managers send. Where a signal can not be caught, its default stays.
///
/// `sun.misc.Signal` is the one way to catch a signal in Java without turning it into the JVM's own exit.
@SuppressWarnings("sunapi")
final class Signals {
    private Signals() {
    }

    /// Runs this for each signal of that name, such as `TERM`, on a thread of the JVM's.
    static void on(String name, Runnable handler) {
        try {
            Signal.handle(new Signal(name), _ -> handler.run());
        } catch (IllegalArgumentException e) {
            // The JVM was told to leave this signal alone (-Xrs), or the system has none of that name.
        }
    }
}
