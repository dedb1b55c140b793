package io.servery.netty.cli;

import io.servery.admin.operator.OperatorClient;
import io.servery.core.config.Configuration;
import io.servery.core.config.ConfigurationInputs;
import io.servery.core.config.Outcome;
import io.servery.core.config.RuntimeConfig;
import io.servery.core.config.RuntimeDirectory;
import io.servery.core.fault.ExitCode;
import io.servery.core.fault.Fault;
import io.servery.core.fault.FaultText;
import io.servery.core.operator.OperatorCommand;
import io.servery.core.lifecycle.Reload;
import io.servery.core.operator.OperatorReply;
import io.servery.core.operator.OperatorRequest;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The options of every command that speaks to a running parent, and the speaking.
///
/// A configuration that is invalid, or gone, is no reason not to stop its service: what can be read of it still says where
/// the parent is.
final class OperatorOptions {
    /// How long an answer takes that needs nothing but the parent.
    private static final Duration AT_ONCE = Duration.ofSeconds(10);
    /// More than an attempt takes at an authority that is slow in each of its answers.
    private static final Duration RENEWAL = Duration.ofMinutes(25);
    /// Where no configuration says how long a start or a drain may take.
    private static final Duration UNKNOWN = Duration.ofMinutes(10);

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(names = {"-c", "--config"}, paramLabel = "FILE", description = "The configuration file that the service was"
            + " started with.")
    private @Nullable Path file;

    @Option(names = "--runtime-directory", paramLabel = "DIR", description = "Where the service has its sockets, instead"
            + " of what the configuration says.")
    private @Nullable Path directory;

    /// Where a service is, and what is known of it.
    ///
    /// @param note what may be the reason if it is not there; may be empty
    /// @param faults of its configuration as it is now
    private record Place(Path runtime, Duration limit, String note, List<Fault> faults) {
    }

    /// Asks the parent, and prints what it answers.
    ///
    /// @return the exit code
    int ask(OperatorRequest request, Surroundings surroundings) {
        OperatorReply reply;
        try {
            RuntimeDirectory.Host host = RuntimeDirectory.Host.of(surroundings.environment());
            Place place = place(request, surroundings, host);
            reply = reply(request, place, host);
            if (reply.exit() == ExitCode.UNAVAILABLE.code()) {
                // A file that cannot be read does not say where its service is; it could not be reloaded either.
                reply = request.command() == OperatorCommand.RELOAD && !place.faults().isEmpty()
                        ? OperatorReply.err(ExitCode.CONFIGURATION,
                                new FaultText(false).of(place.faults()) + place.note())
                        : OperatorReply.err(ExitCode.UNAVAILABLE, reply.err() + place.note());
            }
        } catch (IOException e) {
            reply = OperatorReply.err(ExitCode.PERMISSION, "servery: error: " + e.getMessage() + "\n");
        }
        surroundings.out().print(reply.out());
        surroundings.err().print(reply.err());
        return reply.exit();
    }

    private Place place(OperatorRequest request, Surroundings surroundings, RuntimeDirectory.Host host)
            throws IOException {
        if (directory != null) {
            return new Place(surroundings.workingDirectory().resolve(directory), limit(request, Optional.empty()), "",
                    List.of());
        }
        Path named = Optional.ofNullable(file).orElseThrow(
                () -> usage("found neither --config FILE nor --runtime-directory DIR; expected one of the two"));
        ConfigurationInputs inputs = new ConfigurationInputs(Optional.of(named), surroundings.environment(), List.of(),
                surroundings.workingDirectory(), true);
        Path runtime = RuntimeDirectory.ofFile(Configuration.runtimeDirectory(inputs),
                surroundings.workingDirectory().resolve(named), host);
        return switch (Configuration.load(inputs)) {
            case Outcome.Accepted accepted ->
                new Place(runtime, limit(request, Optional.of(accepted.config().runtime())), "", List.of());
            case Outcome.Refused(List<Fault> faults) -> new Place(runtime, limit(request, Optional.empty()), "   "
                    + named
                    + " is no valid configuration now (`check` says why); --runtime-directory names the directory of a"
                    + " service that runs\n", faults);
        };
    }

    private static OperatorReply reply(OperatorRequest request, Place place, RuntimeDirectory.Host host)
            throws IOException {
        try {
            RuntimeDirectory.vet(place.runtime(), host);
        } catch (NoSuchFileException _) {
            return OperatorReply.err(ExitCode.UNAVAILABLE, place.runtime()
                    + ": error: found no runtime directory; expected that of a running service\n");
        }
        Path socket = place.runtime().resolve(RuntimeDirectory.OPERATOR_SOCKET);
        return OperatorClient.ask(socket, request, place.limit());
    }

    /// A reload may wait for the one before it, and each for three generations of which one drains.
    private static Duration limit(OperatorRequest request, Optional<RuntimeConfig> runtime) {
        Optional<Duration> drain = runtime
                .map(known -> known.drainTimeout().plusMillis(3 * known.forceTimeout().toMillis()));
        return switch (request.command()) {
            case STATUS, READY -> AT_ONCE;
            case RELOAD, ROLLBACK -> runtime
                    .map(known -> known.startTimeout().plus(Reload.LOAD_MAX).plus(drain.orElseThrow()))
                    .map(one -> one.plus(one).plus(AT_ONCE))
                    .orElse(UNKNOWN);
            case RENEW, FORCE_RENEWAL -> RENEWAL;
            case DRAIN, STOP -> drain.map(AT_ONCE::plus).orElse(UNKNOWN);
        };
    }

    private ParameterException usage(String what) {
        if (command == null) {
            throw new IllegalStateException("options outside of a command");
        }
        return new ParameterException(command.commandLine(), what);
    }
}
