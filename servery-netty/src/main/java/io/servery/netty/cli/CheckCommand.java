package io.servery.netty.cli;

import io.servery.core.fault.ExitCode;
import java.nio.file.Path;
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
        return loader.load(Optional.of(config), given.settings(), given.unsafeDevelopmentTls(), _ -> {
            surroundings.out().println(config + ": valid");
            return ExitCode.OK.code();
        });
    }
}
