package io.servery.netty.cli;

import io.servery.core.operator.OperatorCommand;
import io.servery.core.operator.OperatorRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `status`: how the running service is.
@Command(name = "status", description = "Say how the running service is.")
final class StatusCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Option(names = "--json", description = "For programs.")
    private boolean json;

    @Option(names = "--ready", description = "Exit with 0 only when it is ready, else with 1.")
    private boolean ready;

    @Mixin
    private final OperatorOptions options = new OperatorOptions();

    StatusCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        OperatorCommand command = ready ? OperatorCommand.READY : OperatorCommand.STATUS;
        return options.ask(new OperatorRequest(command, json), surroundings);
    }
}
