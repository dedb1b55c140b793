package io.servery.netty.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// What a command touches of the process around it, as values.
///
/// @param workingDirectory absolute
public record Surroundings(PrintStream out, PrintStream err, boolean outIsTerminal, boolean errIsTerminal,
        Map<String, String> environment, Path workingDirectory) {

    public Surroundings {
        environment = Map.copyOf(environment);
    }

    /// Those of this process. What is printed is UTF-8 whatever the locale says.
    public static Surroundings ofProcess() {
        return new Surroundings(stream(FileDescriptor.out), stream(FileDescriptor.err), isTerminal(1), isTerminal(2),
                System.getenv(), Path.of("").toAbsolutePath());
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }

    /// `System.console()` speaks of standard input and output together, never of standard error.
    private static boolean isTerminal(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException _) {
            return false;
        }
    }

    boolean outHasColour() {
        return outIsTerminal && wantsColour();
    }

    boolean errHasColour() {
        return errIsTerminal && wantsColour();
    }

    private boolean wantsColour() {
        return environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
    }
}
