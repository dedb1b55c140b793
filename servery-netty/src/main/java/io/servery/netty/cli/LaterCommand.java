package io.servery.netty.cli;

import io.servery.core.fault.ExitCode;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/// A command of the contract that comes with the supervisor. It says so, whatever follows it.
@Command
final class LaterCommand implements Callable<Integer> {
    private final String name;
    private final Surroundings surroundings;

    @Unmatched
    private @Nullable List<String> words;

    LaterCommand(String name, Surroundings surroundings) {
        this.name = name;
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        surroundings.err().println("servery " + name + ": error: not yet available");
        return ExitCode.USAGE.code();
    }
}
