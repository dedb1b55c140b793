package io.servery.netty.cli;

import io.servery.core.config.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `serve`: a directory, no file needed.
@Command(name = "serve", description = "Serve a directory. No file is needed.")
final class ServeCommand implements Callable<Integer> {
    private final Loader loader;
    private final ServiceLauncher launcher;

    @Parameters(index = "0", arity = "0..1", paramLabel = "DIR", defaultValue = ".", description = "The directory; the working directory when absent.")
    private String directory = ".";

    @Option(names = {"-p", "--port"}, paramLabel = "PORT", description = "The port (8000); 0 takes a free one.")
    private @Nullable String port;

    @Option(names = {"-H", "--host"}, paramLabel = "HOST", description = "The address (127.0.0.1). Repeatable.")
    private @Nullable List<String> hosts;

    @Option(names = "--unix", paramLabel = "PATH", description = "A Unix domain socket instead.")
    private @Nullable String unix;

    @Option(names = {"-i", "--index"}, paramLabel = "NAME", description = "The index file (index.html). Repeatable.")
    private @Nullable List<String> index;

    @Option(names = {"-l", "--listing"}, negatable = true, description = "List directories without an index file.")
    private @Nullable Boolean listing;

    @Option(names = {"-a", "--show-hidden"}, negatable = true, description = "Serve names that begin with a dot.")
    private @Nullable Boolean hidden;

    @Option(names = {"-s", "--spa"}, negatable = true, description = "Answer unknown paths with the root's index.")
    private @Nullable Boolean spa;

    @Option(names = "--access", negatable = true, description = "One line a request on standard output.")
    private @Nullable Boolean access;

    @Mixin
    private final ConfigurationOptions options = new ConfigurationOptions();

    ServeCommand(Loader loader, ServiceLauncher launcher) {
        this.loader = loader;
        this.launcher = launcher;
    }

    @Override
    public Integer call() {
        boolean unsafe = options.unsafeDevelopmentTls();
        return loader.load(Optional.empty(), settings(), unsafe, accepted -> launcher.run(accepted.config(),
                new StartOptions(Optional.empty(), accepted.effective(), settings(), unsafe)));
    }

    /// The short flags, then `--set`, which holds where both say something.
    private List<Setting> settings() {
        List<Setting> settings = new ArrayList<>();
        settings.add(new Setting("serve", "application.static.root", directory));
        add(settings, "--port", "listener.port", port);
        add(settings, "--host", "listener.host", list(hosts));
        add(settings, "--unix", "listener.unix", unix);
        add(settings, "--index", "application.static.index", list(index));
        add(settings, "--listing", "application.static.listing", listing);
        add(settings, "--show-hidden", "application.static.show_hidden", hidden);
        add(settings, "--spa", "application.static.spa", spa);
        add(settings, "--access", "logging.access", access);
        settings.addAll(options.settings());
        return settings;
    }

    private static void add(List<Setting> settings, String flag, String key, @Nullable Object words) {
        if (words != null) {
            settings.add(new Setting(flag, key, words.toString()));
        }
    }

    private static @Nullable String list(@Nullable List<String> words) {
        return words == null
                ? null
                : words.stream().map(Setting::quoted).collect(Collectors.joining(", ", "[", "]"));
    }
}
