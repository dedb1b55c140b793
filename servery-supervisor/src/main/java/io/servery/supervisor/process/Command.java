package io.servery.supervisor.process;

import java.nio.file.Path;
import java.util.List;

/// A program as execve(2) takes it.
///
/// @param executable absolute; no search path is asked
/// @param arguments without the name of the program, which is the executable
/// @param environment `NAME=value`, all that the program gets
/// @param affinity where it begins to run
public record Command(Path executable, List<String> arguments, List<String> environment, Affinity affinity) {
    /// One that runs where the thread that spawns it may.
    public Command(Path executable, List<String> arguments, List<String> environment) {
        this(executable, arguments, environment, Affinity.UNKNOWN);
    }

    public Command {
        arguments = List.copyOf(arguments);
        environment = List.copyOf(environment);
    }

    @Override
    public String toString() {
        return "Command[executable=" + executable + ", arguments=" + arguments + ", environment=<redacted>]";
    }
}
