package io.servery.core.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The table `[application.static]`, or the same keys of a `[[mount]]`: a directory served as it is.
///
/// @param root absolute; an existing directory when the configuration was accepted
/// @param index names tried in order for a directory, without separators
/// @param spa answer an unknown path with the root's index
/// @param compress make compressed forms of files that have none beside them
/// @param precompressed serve compressed files beside a file
/// @param digests send digest fields (RFC 9530)
/// @param cacheMaxAge `Cache-Control: max-age`; empty sends none
/// @param immutable globs over the path below the root of what never changes
/// @param cacheRevalidate how long a cached file may go unchecked
/// @param errorPages from a status to a file, relative to the root
/// @param headers further response fields, in the order of the file
public record StaticFiles(Path root, List<String> index, boolean listing, boolean showHidden, boolean spa,
        Symlinks symlinks, boolean compress, boolean precompressed, boolean digests, Optional<Duration> cacheMaxAge,
        List<String> immutable,
        Duration cacheRevalidate,
        boolean securityHeaders, Map<Integer, String> errorPages, Map<String, String> headers) implements Application {

    public StaticFiles {
        index = List.copyOf(index);
        immutable = List.copyOf(immutable);
        errorPages = Collections.unmodifiableMap(new LinkedHashMap<>(errorPages));
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /// What is done with a symbolic link below the root.
    public enum Symlinks implements Choice {
        /// Followed while it stays inside the root.
        INSIDE("inside"),
        /// Followed anywhere.
        FOLLOW("follow"),
        /// Not found.
        DENY("deny");

        private final String word;

        Symlinks(String word) {
            this.word = word;
        }

        @Override
        public String word() {
            return word;
        }
    }
}
