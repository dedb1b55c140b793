package io.servery.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// How the admin listener was configured: its three paths, the names it answers to, and its token if it has one.
///
/// *Invariant*: a public bind has a token.
public record AdminOptions(String livePath, String readyPath, String metricsPath, HostPolicy hosts,
        @Nullable AdminToken token) {
    public AdminOptions {
        List<String> paths = List.of(livePath, readyPath, metricsPath);
        if (paths.stream().anyMatch(path -> !path.startsWith("/")) || paths.stream().distinct().count() != 3) {
            throw new IllegalArgumentException("metrics: found paths " + paths + "; expected three, each from /");
        }
        if (hosts instanceof HostPolicy.PublicBind && token == null) {
            throw new IllegalArgumentException("metrics.token: found none; expected one for a public bind");
        }
    }

    /// The paths by default.
    public static AdminOptions standard(HostPolicy hosts, @Nullable AdminToken token) {
        return new AdminOptions("/livez", "/readyz", "/metrics", hosts, token);
    }
}
