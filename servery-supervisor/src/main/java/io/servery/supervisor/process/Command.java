package io.servery.supervisor.process;

import java.nio.file.Path;
import java.util.List;

/// A program as execve(2) takes it.
///
/// @param executable absolute; no search path is asked
/// @param arguments without the name of the program, which is the executable
/// @param environment `NAME=value`, all that the program gets
public record Command(Path executable, List<String> arguments, List<String> environment) {
    public Command {
        arguments = List.copyOf(arguments);
        environment = List.copyOf(environment);
    }

    @Override
    public String toString() {
        return "Command[executable=" + executable + ", arguments=" + arguments + ", environment=<redacted>]";
    }
}
