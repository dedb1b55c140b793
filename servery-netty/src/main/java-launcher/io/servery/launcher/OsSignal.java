package io.servery.launcher;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/// Handlers of operating system signals, through `sun.misc.Signal`.
///
/// The JDK has no other way, and its compiler warns of this one in a manner that no annotation silences: so by name.
public final class OsSignal {
    private OsSignal() {
    }

    /// Runs `action` on a thread of its own at each arrival of the signal: `TERM`, `INT`, `HUP`.
    ///
    /// A signal that the JVM keeps for itself or was told to leave alone (`-Xrs`) stays as it is.
    public static void handle(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy = Proxy.newProxyInstance(OsSignal.class.getClassLoader(), new Class<?>[]{handler},
                    (self, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            action.run();
                            return null;
                        }
                        return method.invoke(action, arguments);
                    });
            signal.getMethod("handle", signal, handler).invoke(null,
                    signal.getConstructor(String.class).newInstance(name),
                    proxy);
        } catch (InvocationTargetException kept) {
            if (!(kept.getCause() instanceof IllegalArgumentException)) {
                throw new IllegalStateException("signal " + name, kept.getCause());
            }
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException("signal " + name, missing);
        }
    }
}
