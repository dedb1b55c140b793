package io.servery.launcher;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;

/// The main class of the jar.
public final class Main {
    private static final int REQUIRED_FEATURE = 25;
    private static final int EXIT_NO_JDK = 2;
    private static final String SERVER = "io.servery.netty.Main";

    private Main() {
    }

    /// Calls the server's own main, and throws what that throws.
    public static void main(String[] args) throws Throwable {
        if (Runtime.version().feature() >= REQUIRED_FEATURE) {
            callServer(args);
        } else {
            System.exit(startChild(args, System.getenv()));
        }
    }

    /// By name, because the server's classes have a class file version that this package's compiler cannot read.
    private static void callServer(String[] args) throws Throwable {
        // Else the JVM makes classes for the one call.
        System.setProperty("jdk.reflect.useNativeAccessorOnly", "true");
        try {
            Class.forName(SERVER).getMethod("main", String[].class).invoke(null, (Object) args);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    private static int startChild(String[] args, Map<String, String> environment) throws InterruptedException {
        JdkSearch search = new JdkSearch(REQUIRED_FEATURE, environment, System.getProperty("user.home"));
        JdkSearch.Result result = search.run();
        Jdk jdk = result.jdk();
        if (jdk == null) {
            System.err.println(
                    "servery: found Java " + Runtime.version().feature() + "; expected Java " + REQUIRED_FEATURE
                            + " or later (" + result.explanation() + ")");
            return EXIT_NO_JDK;
        }
        System.err.println("servery: this is Java " + Runtime.version().feature() + ": starting Java " + jdk.version()
                + " of " + jdk.home() + " in a second process; for development only, in production run " + jdk.java()
                + " itself");
        List<String> command = ChildCommand.of(jdk, SERVER, args);
        try {
            return new ChildJvm(command).run();
        } catch (IOException failed) {
            System.err.println("servery: " + jdk.java() + ": could not be started: " + failed.getMessage());
            return EXIT_NO_JDK;
        }
    }
}
