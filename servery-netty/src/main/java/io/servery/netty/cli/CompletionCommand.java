package io.servery.netty.cli;

import io.servery.core.fault.ExitCode;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `completion`: a script for the shell.
@Command(name = "completion", description = "Print a completion script for bash; zsh takes it after `bashcompinit`.")
final class CompletionCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Spec
    private @Nullable CommandSpec spec;

    CompletionCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (spec == null) {
            throw new IllegalStateException("a command outside of a command line");
        }
        surroundings.out().print(AutoComplete.bash("servery", spec.root().commandLine()));
        return ExitCode.OK.code();
    }
}
