package io.servery.core.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Everything that a configuration is made of, as values: nothing is read from the process itself.
///
/// @param file as it was typed; empty when the command line alone describes the service
/// @param settings in the order given; of two for the same key the later holds
/// @param workingDirectory absolute: what the file, and paths outside of it, are relative to
/// @param unsafeDevelopmentTls whether production may run without TLS
public record ConfigurationInputs(Optional<Path> file, Map<String, String> environment, List<Setting> settings,
        Path workingDirectory, boolean unsafeDevelopmentTls) {

    public ConfigurationInputs {
        environment = Map.copyOf(environment);
        settings = List.copyOf(settings);
    }
}
