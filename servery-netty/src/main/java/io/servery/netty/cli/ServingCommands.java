package io.servery.netty.cli;

import io.servery.core.config.Setting;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// `serve` and `run`: a directory or what a file describes, served until told to stop.
final class ServingCommands {
    private final Loader loader;
    private final ServiceLauncher launcher;

    ServingCommands(Loader loader, ServiceLauncher launcher) {
        this.loader = loader;
        this.launcher = launcher;
    }

    /// Does what the words say.
    ///
    /// @return the exit code of the process
    int start(ServingWords words) {
        Optional<Path> file = words.serve()
                ? Optional.empty()
                : Optional.of(Path.of(words.of(ServingOption.CONFIG).getFirst()));
        return start(file, words.settings(), words.has(ServingOption.UNSAFE_DEVELOPMENT_TLS));
    }

    int start(Optional<Path> file, List<Setting> settings, boolean unsafe) {
        return loader.load(file, settings, unsafe, accepted -> launcher.run(accepted.config(),
                new StartOptions(file, accepted.effective(), settings, unsafe)));
    }
}
