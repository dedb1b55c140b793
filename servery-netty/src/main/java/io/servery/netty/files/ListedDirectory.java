package io.servery.netty.files;

import io.servery.http.semantics.FilePath;
import io.servery.http.semantics.LocationPath;
import io.servery.http.semantics.PercentEncoding;
import io.servery.http.semantics.TargetPath;
import io.servery.netty.files.open.DirectoryEntry;
import org.jspecify.annotations.Nullable;

/// The address of a directory that is listed, and those of what it holds.
///
/// @param path decoded, with its slash
/// @param showsHidden whether a name that begins with a dot may be asked for
record ListedDirectory(String path, boolean showsHidden) {
    /// Its own address, encoded.
    String address() {
        return LocationPath.ofDirectory(path, null);
    }

    boolean root() {
        return path.equals("/");
    }

    /// Its name, without what leads to it.
    String name() {
        return root() ? "/" : path.substring(path.lastIndexOf('/', path.length() - 2) + 1, path.length() - 1);
    }

    /// The reference that leads from it to the entry, or null when no target can name that: octets that are no UTF-8,
    /// control characters, a backslash, too deep a path.
    ///
    /// Judged by what judges targets, so that no link is refused that we have written.
    @Nullable
    String reference(DirectoryEntry entry) {
        String segment = PercentEncoding.pathSegment(entry.name());
        boolean reachable = entry.utf8()
                && TargetPath.resolve(address() + segment) instanceof TargetPath.Accepted accepted
                && FilePath.of(accepted, showsHidden) instanceof FilePath.Named(String named, boolean _)
                && named.equals(path + entry.name());
        return !reachable ? null : entry.directory() ? segment + '/' : segment;
    }
}
