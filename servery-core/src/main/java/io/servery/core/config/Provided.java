package io.servery.core.config;

import java.nio.file.Path;

/// What one layer says of one key.
///
/// @param key where the key was written
/// @param base what a relative path in it is relative to
record Provided(Where key, Raw raw, Path base) {
}
