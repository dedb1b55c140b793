package io.servery.core.config;

import io.servery.core.config.StaticFiles.Symlinks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// The keys of a directory that is served: those of `[application.static]`, and the same in `[[mount]]`.
final class StaticFileKeys {
    private static final long YEAR = 366L * 24 * 3_600_000;
    private static final int NAMES_MAX = 64;

    final Key<Path> root;
    final Key<List<String>> index;
    final Key<Boolean> listing;
    final Key<Boolean> showHidden;
    final Key<Boolean> spa;
    final Key<Symlinks> symlinks;
    final Key<Boolean> compress;
    final Key<Boolean> precompressed;
    final Key<Boolean> digests;
    final Key<Duration> cacheMaxAge;
    final Key<List<String>> immutable;
    final Key<Duration> cacheRevalidate;
    final Key<Boolean> securityHeaders;
    final Key<Map<Integer, String>> errorPages;
    final Key<Map<String, String>> headers;
    private final List<Key<?>> later;

    StaticFileKeys(String table) {
        String prefix = table + ".";
        root = Key.now(prefix + "root", new Words.FilePath(), "The directory to serve; it must exist.").byDefault(".");
        index = Key.now(prefix + "index", new Groups.ListOf<>(Forms.FILE, false, 0, NAMES_MAX),
                "Files tried in this order for a directory.").byDefault("[\"index.html\"]");
        listing = Key.now(prefix + "listing", new Words.Truth(), "List a directory without an index file.")
                .byProfile("true", "false");
        showHidden = Key.now(prefix + "show_hidden", new Words.Truth(),
                "Serve names that begin with a dot; `/.well-known/` is always served.").byDefault("false");
        spa = Key.now(prefix + "spa", new Words.Truth(),
                "Answer an unknown path whose last segment has no extension with the index of the root where `Accept` names "
                        + "`text/html`, else with 404; both vary by `Accept`.")
                .byDefault("false");
        symlinks = Key.now(prefix + "symlinks", new Words.OneOf<>(Symlinks.class),
                "Symbolic links: followed inside the root, followed anywhere, or not found.").byDefault("inside");
        compress = Key.now(prefix + "compress", new Words.Truth(),
                "Compress what is worth it, from 256 B to 1 MiB, for who accepts it, within the bounds of the compute lane.")
                .byDefault("true");
        precompressed = Key.now(prefix + "precompressed", new Words.Truth(),
                "Serve `.zst`, `.br` or `.gz` beside a file to who accepts it, while it is not older than the file.")
                .byDefault("true");
        digests = Key.now(prefix + "digests", new Words.Truth(),
                "Send `Repr-Digest` with files in memory and to who asks for it, `Content-Digest` to who asks for it.")
                .byDefault("false");
        cacheMaxAge = Key.now(prefix + "cache_max_age", new Numbers.Time(0, YEAR),
                "`Cache-Control: max-age` of files; none is sent when absent.");
        immutable = Key.now(prefix + "immutable", new Groups.ListOf<>(Forms.GLOB, false, 0, NAMES_MAX),
                "Globs over the path below the root of files that never change.").byDefault("[]");
        cacheRevalidate = Key.now(prefix + "cache_revalidate", new Numbers.Time(0, 3_600_000),
                "How long a file in memory, a file kept open, the compressed forms beside either, and a listing may answer "
                        + "without a look at their path; a write to an open file is noticed before.")
                .byDefault("1s");
        securityHeaders = Key.now(prefix + "security_headers", new Words.Truth(),
                "Send `X-Content-Type-Options: nosniff` and the other security fields.").byDefault("true");
        errorPages = Key.now(prefix + "error_pages", new Groups.TableOf<>(Forms.STATUS, Forms.PAGE, NAMES_MAX),
                "Pages below the root for what is refused of its files: 403, 404, 405, 412, 416, 500 where a file cannot be "
                        + "read, 503 where it cannot be opened now, has changed, or digests or a listing have no room. Other "
                        + "refusals have the server's own line: of a request that is malformed, too large, too slow, misdirected or of an "
                        + "unknown method, and 503 of a full filesystem lane or a drain.")
                .byDefault("{}");
        headers = Key.now(prefix + "headers", new Groups.TableOf<>(Forms.FIELD, Forms.VALUE, NAMES_MAX),
                "Further fields of files and listings (200, 206). Of these a 304 repeats `Cache-Control`, "
                        + "`Content-Location`, `Expires` and `Vary` alone, and a page of `error_pages` has all but these. "
                        + "Redirects (301), answers to `OPTIONS` (204) and refusals without such a page have none.")
                .byDefault("{}");
        later = List.of(
                Key.later(prefix + "archives", new Words.Truth(), "Directories as archives.")
                        .byProfile("true", "false").inert("false"));
    }

    List<Key<?>> all() {
        List<Key<?>> all = new java.util.ArrayList<>(List.of(root, index, listing, showHidden, spa, symlinks,
                compress, precompressed, digests, cacheMaxAge, immutable, cacheRevalidate, securityHeaders, errorPages,
                headers));
        all.addAll(later);
        return List.copyOf(all);
    }
}
