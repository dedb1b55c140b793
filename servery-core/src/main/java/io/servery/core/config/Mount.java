package io.servery.core.config;

/// A table `[[mount]]`: files beside the application, served without it.
///
/// @param path begins and ends with `/`, and is more than `/`
public record Mount(String path, StaticFiles files) {
}
