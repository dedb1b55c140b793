package io.servery.netty.cli;

import io.servery.core.config.Configuration;
import io.servery.core.config.ConfigurationInputs;
import io.servery.core.config.Outcome;
import io.servery.core.config.Profile;
import io.servery.core.config.Setting;
import io.servery.core.config.Tls;
import io.servery.core.fault.ExitCode;
import io.servery.core.fault.FaultText;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/// Loads a configuration for a command: the command goes on with an accepted one, or the faults are printed.
final class Loader {
    private final Surroundings surroundings;

    Loader(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    /// The configuration, then the command.
    ///
    /// @param file empty when the command line alone describes the service
    /// @return what the command returns, or the exit code of a refused configuration
    int load(Optional<Path> file, List<Setting> settings, boolean unsafeDevelopmentTls,
            ToIntFunction<Outcome.Accepted> command) {
        Outcome outcome = Configuration.load(new ConfigurationInputs(file, surroundings.environment(), settings,
                surroundings.workingDirectory(), unsafeDevelopmentTls));
        return switch (outcome) {
            case Outcome.Refused refused -> {
                surroundings.err().print(new FaultText(surroundings.errHasColour()).of(refused.faults()));
                yield ExitCode.CONFIGURATION.code();
            }
            case Outcome.Accepted accepted -> {
                if (unsafeDevelopmentTls && accepted.config().profile() == Profile.PRODUCTION
                        && !isTrusted(accepted.config().tls())) {
                    surroundings.err().println("warning: --unsafe-development-tls: profile production without TLS that"
                            + " clients trust: anyone on the way can read and change everything");
                }
                yield command.applyAsInt(accepted);
            }
        };
    }

    /// Whether the certificate comes from somebody else than this service.
    private static boolean isTrusted(Tls tls) {
        return tls instanceof Tls.On on && (on.source() instanceof Tls.Manual || on.source() instanceof Tls.Acme);
    }
}
