package io.servery.netty.cli;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `run`: serves what a file describes, until it is told to stop.
@Command(name = "run", description = "Serve what a file describes.")
final class RunCommand implements Callable<Integer> {
    private final Loader loader;
    private final ServiceLauncher launcher;

    @Option(names = {"-c", "--config"}, paramLabel = "FILE", description = "The configuration file.")
    private @Nullable Path file;

    @Mixin
    private final ConfigurationOptions options = new ConfigurationOptions();

    RunCommand(Loader loader, ServiceLauncher launcher) {
        this.loader = loader;
        this.launcher = launcher;
    }

    @Override
    public Integer call() {
        return run(options.required(file), options);
    }

    int run(Path config, ConfigurationOptions given) {
        boolean unsafe = given.unsafeDevelopmentTls();
        return loader.load(Optional.of(config), given.settings(), unsafe, accepted -> launcher.run(accepted.config(),
                new StartOptions(Optional.of(config), accepted.effective(), given.settings(), unsafe)));
    }
}
