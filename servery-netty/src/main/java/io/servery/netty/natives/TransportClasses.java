package io.servery.netty.natives;

import io.netty.channel.epoll.Epoll;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;

/// The classes of Netty's transport, initialised so that they find their library loaded.
///
/// When it is loaded the library looks up Netty's class of native methods, which initialises that class. Not yet bound to the
/// library, the class would take it for absent and have a second copy unpacked and bound in its place. So the library is loaded
/// while the class is being initialised, before it looks: the first thing it does is to ask for its logger.
///
/// Loggers are those of the JDK, which Netty comes to in the end, without looking for others that log nothing here.
final class TransportClasses extends InternalLoggerFactory {
    private static final String NATIVE_METHODS = "io.netty.channel.epoll.Native";

    private final Runnable load;
    private boolean loaded;

    private TransportClasses(Runnable load) {
        this.load = load;
    }

    /// Initialises them.
    ///
    /// @param load loads the library; called once, on this thread
    static void initialize(Runnable load) {
        TransportClasses loggers = new TransportClasses(load);
        setDefaultFactory(loggers);
        try {
            var _ = Epoll.isAvailable();
        } finally {
            setDefaultFactory(JdkLoggerFactory.INSTANCE);
        }
        loggers.loadOnce(); // they were initialised before, by somebody else
    }

    @Override
    protected InternalLogger newInstance(String name) {
        if (name.equals(NATIVE_METHODS)) {
            loadOnce();
        }
        return ((JdkLoggerFactory) JdkLoggerFactory.INSTANCE).newInstance(name);
    }

    private void loadOnce() {
        if (!loaded) {
            loaded = true;
            load.run();
        }
    }
}
