package io.servery.netty.cli;

import io.servery.core.config.Configuration;
import io.servery.core.config.Setting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The options of every command that reads a configuration.
final class ConfigurationOptions {
    static final String NO_FILE = "found no --config FILE; expected one (`servery serve DIR` needs none)";

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(names = Assignment.OPTION, paramLabel = Assignment.LABEL, completionCandidates = Keys.class, description = Assignment.DESCRIPTION)
    private @Nullable List<String> assignments;

    @Option(names = ServingOption.UNSAFE, description = ServingOption.UNSAFE_DESCRIPTION)
    private boolean unsafeDevelopmentTls;

    /// What completion offers after `--set`.
    static final class Keys implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Configuration.keys().stream().map(key -> key + "=").iterator();
        }
    }

    boolean unsafeDevelopmentTls() {
        return unsafeDevelopmentTls;
    }

    /// The settings in the order given.
    ///
    /// @throws ParameterException for one without `=`
    List<Setting> settings() {
        List<Setting> settings = new ArrayList<>();
        for (String assignment : assignments == null ? List.<String>of() : assignments) {
            Setting setting = Assignment.setting(assignment);
            if (setting == null) {
                throw usage(Assignment.wrong(assignment));
            }
            settings.add(setting);
        }
        return settings;
    }

    ParameterException usage(String what) {
        if (command == null) {
            throw new IllegalStateException("options outside of a command");
        }
        return new ParameterException(command.commandLine(), what);
    }

    /// The file that a command cannot do without.
    Path required(@Nullable Path file) {
        return Optional.ofNullable(file).orElseThrow(() -> usage(NO_FILE));
    }
}
