package io.servery.netty.cli;

import io.servery.core.fault.ExitCode;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `config`: every effective value and where it came from.
@Command(name = "config", description = "Print the effective configuration and where each value came from.")
final class ConfigCommand implements Callable<Integer> {
    private final Loader loader;
    private final Surroundings surroundings;

    @Option(names = {"-c", "--config"}, paramLabel = "FILE", description = "The configuration file.")
    private @Nullable Path file;

    @Mixin
    private final ConfigurationOptions options = new ConfigurationOptions();

    ConfigCommand(Loader loader, Surroundings surroundings) {
        this.loader = loader;
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        return print(options.required(file), options);
    }

    int print(Path config, ConfigurationOptions given) {
        return loader.load(Optional.of(config), given.settings(), given.unsafeDevelopmentTls(), accepted -> {
            surroundings.out().print(accepted.effective().text());
            return ExitCode.OK.code();
        });
    }
}
