package io.servery.netty.cli;

import io.servery.core.operator.OperatorCommand;
import io.servery.core.operator.OperatorRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `renew`: the running service gets a new certificate from its authority, and the verdict is waited for.
@Command(name = "renew", description = "Renew the certificate of the authority, if it is time.")
final class RenewCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Option(names = "--force", description = "Also if it is not time. Authorities limit how often.")
    private boolean force;

    @Mixin
    private final OperatorOptions options = new OperatorOptions();

    RenewCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        OperatorCommand command = force ? OperatorCommand.FORCE_RENEWAL : OperatorCommand.RENEW;
        return options.ask(new OperatorRequest(command, false), surroundings);
    }
}
