package io.servery.core.tls;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which host is for which identity: an index over the names of several.
///
/// An exact name comes before a wildcard, and of two identities with the same name the first.
///
/// @param <T> what is found: an identity, or what was made of it
public final class IdentityNames<T> {
    private final Map<String, T> byHost = new HashMap<>();
    private final Map<String, T> byParent = new HashMap<>();

    /// One identity of the index.
    ///
    /// @param names the hosts that choose it
    public record Entry<T>(CertificateNames names, T identity) {
    }

    public IdentityNames(List<Entry<T>> entries) {
        for (Entry<T> entry : entries) {
            entry.names().exact().forEach(host -> byHost.putIfAbsent(host, entry.identity()));
            entry.names().parents().forEach(parent -> byParent.putIfAbsent(parent, entry.identity()));
        }
    }

    /// The identity for a host as SNI writes it; null when none has that name.
    public @Nullable T find(String host) {
        @Nullable
        String canonical = HostText.canonical(host);
        if (canonical == null) {
            return null;
        }
        T exact = byHost.get(canonical);
        int dot = canonical.indexOf('.');
        return exact != null || dot < 1 || canonical.charAt(0) == '['
                ? exact
                : byParent.get(canonical.substring(dot + 1));
    }
}
