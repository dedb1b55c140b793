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
    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(names = "--set", paramLabel = "KEY=VALUE", completionCandidates = Keys.class, description = "Set any key of"
            + " the configuration: a bare value, or TOML where a list or a table is meant. Repeatable.")
    private @Nullable List<String> assignments;

    @Option(names = "--unsafe-development-tls", description = "Let profile production run without a real certificate."
            + " For development alone.")
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
            int equals = assignment.indexOf('=');
            if (equals <= 0) {
                throw usage("--set: found " + quoted(assignment) + "; expected KEY=VALUE");
            }
            settings.add(new Setting("--set", assignment.substring(0, equals).strip(),
                    assignment.substring(equals + 1).strip()));
        }
        return settings;
    }

    private static String quoted(String words) {
        return "\"" + words.substring(0, Math.min(words.length(), 40)) + "\"";
    }

    ParameterException usage(String what) {
        if (command == null) {
            throw new IllegalStateException("options outside of a command");
        }
        return new ParameterException(command.commandLine(), what);
    }

    /// The file that a command cannot do without.
    Path required(@Nullable Path file) {
        return Optional.ofNullable(file).orElseThrow(
                () -> usage("found no --config FILE; expected one (`servery serve DIR` needs none)"));
    }
}
