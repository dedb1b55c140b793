package io.servery.netty.cli;

import io.servery.core.config.RuntimeConfig;
import io.servery.core.config.ServeryConfig;
import io.servery.core.config.Tls;
import io.servery.core.fault.ExitCode;
import io.servery.core.fault.Fault;
import io.servery.core.fault.FaultText;
import io.servery.netty.identity.CredentialFiles;
import io.servery.netty.identity.CredentialsReading;
import io.servery.netty.identity.IssuedIdentities;
import io.servery.netty.identity.acme.CertificateOwner;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `check`: every error of a configuration, and nothing started.
@Command(name = "check", description = "Validate a configuration, print every error, start nothing.")
final class CheckCommand implements Callable<Integer> {
    private final Loader loader;
    private final Surroundings surroundings;

    @Option(names = {"-c", "--config"}, paramLabel = "FILE", description = "The configuration file.")
    private @Nullable Path file;

    @Mixin
    private final ConfigurationOptions options = new ConfigurationOptions();

    CheckCommand(Loader loader, Surroundings surroundings) {
        this.loader = loader;
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        return check(options.required(file), options);
    }

    int check(Path config, ConfigurationOptions given) {
        return loader.load(Optional.of(config), given.settings(), given.unsafeDevelopmentTls(), accepted -> {
            List<Fault> faults = faults(accepted.config());
            if (!faults.isEmpty()) {
                surroundings.err().print(new FaultText(surroundings.errHasColour()).of(faults));
                return ExitCode.CONFIGURATION.code();
            }
            surroundings.out().println(config + ": valid");
            return ExitCode.OK.code();
        });
    }

    /// What is wrong with the files of identities, which a start would read too. None is made here, and nobody is asked.
    private static List<Fault> faults(ServeryConfig config) {
        if (!(config.tls() instanceof Tls.On tls)) {
            return List.of();
        }
        return switch (tls.source()) {
            case Tls.Manual _ -> CredentialFiles.read(tls, () -> {
                throw new IllegalStateException("these come from files");
            }, Instant.now()) instanceof CredentialsReading.Refused(List<Fault> found) ? found : List.of();
            case Tls.Acme acme -> {
                List<Fault> faults = new ArrayList<>(CertificateOwner.faults(acme));
                if (config.runtime().transport() == RuntimeConfig.Transport.NIO && IssuedIdentities.none().read(config,
                        acme, Optional.empty()) instanceof IssuedIdentities.Refused(List<Fault> alone)) {
                    faults.addAll(alone);
                }
                yield faults;
            }
            case Tls.SelfSigned _,Tls.OfParent _ -> List.of();
        };
    }
}
