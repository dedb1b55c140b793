package io.servery.netty.cli;

import io.servery.core.fault.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// A command of the contract whose feature comes later. It says so, whatever follows it.
@Command
final class LaterCommand implements Callable<Integer> {
    private final String name;
    private final Surroundings surroundings;

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
