package io.servery.netty.cli;

import io.servery.core.operator.OperatorCommand;
import io.servery.core.operator.OperatorRequest;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

/// `reload`, `rollback`, `drain`, `stop`: the running service is asked, and its answer waited for.
@Command
final class ChangeCommand implements Callable<Integer> {
    private final OperatorCommand asked;
    private final Surroundings surroundings;

    @Mixin
    private final OperatorOptions options = new OperatorOptions();

    private ChangeCommand(OperatorCommand asked, Surroundings surroundings) {
        this.asked = asked;
        this.surroundings = surroundings;
    }

    /// All of them.
    static List<CommandLine> all(Surroundings surroundings) {
        return Stream.of(OperatorCommand.RELOAD, OperatorCommand.ROLLBACK, OperatorCommand.DRAIN, OperatorCommand.STOP)
                .map(asked -> new ChangeCommand(asked, surroundings).line()).toList();
    }

    private CommandLine line() {
        CommandSpec spec = CommandSpec.forAnnotatedObject(this).name(asked.word());
        spec.usageMessage().description(switch (asked) {
            case RELOAD -> "Apply the configuration anew; the exit code tells whether it serves.";
            case ROLLBACK -> "Go back to the configuration that was good before.";
            case DRAIN -> "Take nothing more, finish all work, and wait for `reload` or `stop`.";
            case STOP -> "Finish all work and end the service.";
            case STATUS, READY, RENEW, FORCE_RENEWAL -> throw new IllegalStateException("a question: " + asked);
        });
        return new CommandLine(spec);
    }

    @Override
    public Integer call() {
        return options.ask(new OperatorRequest(asked, false), surroundings);
    }
}
