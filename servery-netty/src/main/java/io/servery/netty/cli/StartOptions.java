package io.servery.netty.cli;

import io.servery.core.config.Effective;
import java.nio.file.Path;
import java.util.Optional;

/// What the command line says of a start beside the configuration.
///
/// @param file the configuration file as it was typed; empty for `serve`
/// @param effective every value with its origin
/// @param unsafeDevelopmentTls production runs without TLS, which the operator asked for aloud
public record StartOptions(Optional<Path> file, Effective effective, boolean unsafeDevelopmentTls) {
}
