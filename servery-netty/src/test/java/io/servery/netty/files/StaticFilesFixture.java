package io.servery.netty.files;

import io.servery.core.config.StaticFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A static files table, key by key.
final class StaticFilesFixture {
    private static final long ROOM_BYTES = 16 << 20;

    private final Path root;
    private List<String> index = List.of("index.html");
    private boolean listing;
    private boolean showHidden;
    private boolean spa;
    private StaticFiles.Symlinks symlinks = StaticFiles.Symlinks.INSIDE;
    private boolean compress;
    private boolean precompressed = true;
    private boolean digests;
    private Optional<Duration> cacheMaxAge = Optional.empty();
    private List<String> immutable = List.of();
    private Duration cacheRevalidate = Duration.ofSeconds(1);
    private boolean securityHeaders = true;
    private Map<Integer, String> errorPages = Map.of();
    private Map<String, String> headers = Map.of();

    StaticFilesFixture(Path root) {
        this.root = root;
    }

    /// Bounds that no test comes near to, but for that of the cache.
    static FileSite.FormLimits forms(long cacheBytes) {
        return new FileSite.FormLimits(cacheBytes, cacheBytes + ROOM_BYTES, cacheBytes + ROOM_BYTES);
    }

    StaticFilesFixture index(String... names) {
        index = List.of(names);
        return this;
    }

    StaticFilesFixture listing() {
        listing = true;
        return this;
    }

    StaticFilesFixture showHidden() {
        showHidden = true;
        return this;
    }

    StaticFilesFixture spa() {
        spa = true;
        return this;
    }

    StaticFilesFixture symlinks(StaticFiles.Symlinks policy) {
        symlinks = policy;
        return this;
    }

    StaticFilesFixture compress() {
        compress = true;
        return this;
    }

    StaticFilesFixture withoutPrecompressed() {
        precompressed = false;
        return this;
    }

    StaticFilesFixture digests() {
        digests = true;
        return this;
    }

    StaticFilesFixture cacheMaxAge(Duration age) {
        cacheMaxAge = Optional.of(age);
        return this;
    }

    StaticFilesFixture immutable(String... globs) {
        immutable = List.of(globs);
        return this;
    }

    StaticFilesFixture cacheRevalidate(Duration age) {
        cacheRevalidate = age;
        return this;
    }

    StaticFilesFixture withoutSecurityHeaders() {
        securityHeaders = false;
        return this;
    }

    StaticFilesFixture errorPages(Map<Integer, String> pages) {
        errorPages = pages;
        return this;
    }

    StaticFilesFixture headers(Map<String, String> fields) {
        headers = fields;
        return this;
    }

    StaticFiles build() {
        return new StaticFiles(root, index, listing, showHidden, spa, symlinks, compress, precompressed,
                digests, cacheMaxAge,
                immutable,
                cacheRevalidate, securityHeaders, errorPages, headers);
    }
}
