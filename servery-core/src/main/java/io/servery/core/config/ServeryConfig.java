package io.servery.core.config;

import java.util.List;

/// The whole configuration of one service.
///
/// *Invariant*: valid. Only `Configuration` makes one from text, and it does so when no rule is broken.
///
/// @param mounts the `[[mount]]` tables in the order of the file; no two have the same path
public record ServeryConfig(Profile profile, RuntimeConfig runtime, Listener listener, Tls tls, Resources resources,
        Logging logging, Metrics metrics, Application application, List<Mount> mounts) {

    public ServeryConfig {
        mounts = List.copyOf(mounts);
    }

    /// The scheme of URLs of the public listener.
    public String scheme() {
        return tls instanceof Tls.Off ? "http" : "https";
    }
}
