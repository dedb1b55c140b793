package io.servery.netty.cli;

import io.servery.core.config.Effective;
import io.servery.core.config.Setting;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What the command line says of a start beside the configuration.
///
/// @param file the configuration file as it was typed; empty for `serve`
/// @param effective every value with its origin
/// @param settings of the command line, in the order given
/// @param unsafeDevelopmentTls production runs without TLS, which the operator asked for aloud
public record StartOptions(Optional<Path> file, Effective effective, List<Setting> settings,
        boolean unsafeDevelopmentTls) {
}
