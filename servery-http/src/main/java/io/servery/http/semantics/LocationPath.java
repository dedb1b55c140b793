package io.servery.http.semantics;

import org.jspecify.annotations.Nullable;

/// The Location of a redirect within this site: an absolute path and nothing that a client could read as another host.
public final class LocationPath {
    private LocationPath() {
    }

    /// The directory's own address: the path with one slash at its end and the query as received (RFC 9110 §10.2.2).
    ///
    /// Slashes that follow each other become one, for `//host` is a reference to another host (RFC 3986 §4.2), and a
    /// backslash, which browsers take for a slash, is encoded.
    ///
    /// @param decodedPath the path that names the directory, decoded
    public static String ofDirectory(String decodedPath, @Nullable String query) {
        StringBuilder path = new StringBuilder(decodedPath.length() + 2).append('/');
        for (int at = 0; at < decodedPath.length(); at++) {
            char c = decodedPath.charAt(at);
            if (c != '/' || path.charAt(path.length() - 1) != '/') {
                path.append(c);
            }
        }
        if (path.charAt(path.length() - 1) != '/') {
            path.append('/');
        }
        String location = PercentEncoding.path(path.toString());
        return query == null ? location : location + '?' + PercentEncoding.query(query);
    }
}
