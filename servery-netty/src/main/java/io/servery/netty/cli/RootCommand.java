package io.servery.netty.cli;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `servery` itself: with a file it is `run`; two options are aliases of commands.
@Command(name = "servery", description = "One production web service from one file.", synopsisSubcommandLabel = "[COMMAND]", footer = {
        "", "Exit codes: 0 done, 1 failed at run time, 2 usage, 69"
                + " cannot bind, 70 a bug,",
        "75 temporary, 77 permission, 78 configuration."})
final class RootCommand implements Callable<Integer> {
    private final Loader loader;
    private final ServingCommands serving;
    private final Surroundings surroundings;

    @Option(names = {"-c", "--config"}, paramLabel = "FILE", description = "Serve what this file describes: same as"
            + " `run`.")
    private @Nullable Path file;

    @Option(names = "--check-config", description = "Same as `check`.")
    private boolean check;

    @Option(names = "--print-effective-config", description = "Same as `config`.")
    private boolean print;

    @Option(names = {"-V", "--version"}, description = "Same as `version`.")
    private boolean version;

    @Mixin
    private final ConfigurationOptions options = new ConfigurationOptions();

    RootCommand(Loader loader, ServingCommands serving, Surroundings surroundings) {
        this.loader = loader;
        this.serving = serving;
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (version) {
            return new VersionCommand(surroundings).call();
        }
        if (check && print) {
            throw options.usage("found --check-config together with --print-effective-config; expected one of the two");
        }
        if (check) {
            return new CheckCommand(loader, surroundings).check(options.required(file), options);
        }
        if (print) {
            return new ConfigCommand(loader, surroundings).print(options.required(file), options);
        }
        return serving.start(Optional.of(options.required(file)), options.settings(), options.unsafeDevelopmentTls());
    }
}
