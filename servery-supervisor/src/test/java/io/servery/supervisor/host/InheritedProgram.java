package io.servery.supervisor.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/// A service that was given sockets: prints their names and numbers, and the flags of each.
final class InheritedProgram {
    private InheritedProgram() {
    }

    /// Takes the sockets.
    ///
    /// @param arguments `NAME=value`, what the environment says beside the pid, which the shell cannot know for it
    public static void main(String[] arguments) throws IOException {
        Map<String, String> environment = new TreeMap<>();
        for (String argument : arguments) {
            environment.put(argument.substring(0, argument.indexOf('=')),
                    argument.substring(argument.indexOf('=') + 1));
        }
        environment.put("LISTEN_PID", Long.toString(ProcessHandle.current().pid()));
        var outcome = InheritedSockets.of(environment, ProcessHandle.current().pid());
        System.out.println(outcome);
        if (outcome instanceof Outcome.Given<?>) {
            for (int descriptor = 3; descriptor < 5; descriptor++) {
                System.out.println(
                        descriptor + " " + Files.readAllLines(Path.of("/proc/self/fdinfo/" + descriptor)).get(1));
            }
        }
    }
}
