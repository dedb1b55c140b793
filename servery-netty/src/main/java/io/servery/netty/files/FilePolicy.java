package io.servery.netty.files;

import io.servery.core.config.StaticFiles;
import io.servery.http.exchange.ResponseHead.Field;
import io.servery.http.semantics.FieldSyntax;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How the files of one root are answered, worked out once from its configuration.
final class FilePolicy {
    /// A year: the longest that caches take seriously.
    private static final String NEVER_CHANGES = "public, max-age=31536000, immutable";

    /// The configured fields that a 304 repeats (RFC 9110 §15.4.5).
    private static final Set<String> IN_NOT_MODIFIED = Set.of("cache-control", "content-location", "expires", "vary");

    private final StaticFiles files;
    private final List<Glob> immutable;
    private final @Nullable String cacheControl;
    private final List<Field> security;
    private final List<Field> configured;
    private final Map<Integer, String> errorPages = new HashMap<>();

    FilePolicy(StaticFiles files) {
        this.files = files;
        this.immutable = files.immutable().stream().map(Glob::new).toList();
        this.configured = configured(files.headers());
        this.cacheControl = isConfigured("cache-control") ? null : cacheControl(files.cacheMaxAge());
        this.security = files.securityHeaders() ? securityFields() : List.of();
        files.errorPages().forEach((status, file) -> errorPages.put(status, withoutSlash(file)));
    }

    List<String> index() {
        return files.index();
    }

    boolean listing() {
        return files.listing();
    }

    boolean showsHidden() {
        return files.showHidden();
    }

    /// Whether a navigation to this path, where it names nothing, is answered with the page of a single page application. A
    /// path whose last segment has an extension means a file, and a page in place of a missing script helps nobody.
    boolean pageMayStandFor(String path) {
        return files.spa() && path.indexOf('.', path.lastIndexOf('/') + 1) < 0;
    }

    long revalidateNanos() {
        return files.cacheRevalidate().toNanos();
    }

    /// The file for that status, relative to the root, or null.
    @Nullable
    String errorPage(int status) {
        return errorPages.get(status);
    }

    /// The value of Cache-Control for a file, or null for none.
    @Nullable
    String cacheControl(String path) {
        if (isConfigured("cache-control")) {
            return null;
        }
        for (Glob glob : immutable) {
            if (glob.matches(path)) {
                return NEVER_CHANGES;
            }
        }
        return cacheControl;
    }

    /// The fields of every answer with content: those that protect it, and those of the operator.
    void addCommon(List<Field> fields) {
        fields.addAll(security);
        fields.addAll(configured);
    }

    /// The operator's fields.
    List<Field> configuredFields() {
        return configured;
    }

    /// The same for an answer that is not to be kept as if it were the file's.
    List<Field> commonWithoutCaching() {
        List<Field> fields = new ArrayList<>();
        addCommon(fields);
        fields.removeIf(field -> IN_NOT_MODIFIED.contains(field.name().toLowerCase(Locale.ROOT)));
        return fields;
    }

    /// The operator's fields that a 304 repeats.
    void addForNotModified(List<Field> fields) {
        for (Field field : configured) {
            if (IN_NOT_MODIFIED.contains(field.name().toLowerCase(Locale.ROOT))) {
                fields.add(field);
            }
        }
    }

    /// Whether other paths may be answered with this file, or not, by what the request accepts: the page of a single page
    /// application (RFC 9110 §12.5.5).
    private boolean variesByAccept(String path) {
        return files.spa() && files.index().contains(path);
    }

    /// Whether compressed forms are looked for beside a file. Not where its type says that it is compressed already.
    boolean looksBeside(String path) {
        return files.precompressed() && !isConfigured("content-encoding") && MediaTypes.mayLieCompressed(path);
    }

    /// Whether compressed forms are made of files of this path.
    boolean compresses(String path) {
        return files.compress() && !isConfigured("content-encoding") && MediaTypes.compressible(path);
    }

    /// Whether digest fields are sent (RFC 9530).
    boolean digests() {
        return files.digests();
    }

    /// Whether a path may be answered in more than one coding.
    boolean variesByCoding(String path) {
        return looksBeside(path) || compresses(path);
    }

    /// The value of Vary for a file beside what the operator says, or null for none (RFC 9110 §12.5.5).
    @Nullable
    String vary(String path) {
        boolean byCoding = variesByCoding(path) && !saysThatItVariesBy("accept-encoding");
        if (variesByAccept(path) && !saysThatItVariesBy("accept")) {
            return byCoding ? "Accept, Accept-Encoding" : "Accept";
        }
        return byCoding ? "Accept-Encoding" : null;
    }

    /// Whether the operator's Vary names this field, or everything.
    private boolean saysThatItVariesBy(String lowerCaseName) {
        List<String> named = FieldSyntax.tokens(configured.stream()
                .filter(field -> field.name().equalsIgnoreCase("vary")).map(Field::value).toList());
        return named != null && (named.contains(lowerCaseName) || named.contains("*"));
    }

    boolean isConfigured(String lowerCaseName) {
        return configured.stream().anyMatch(field -> field.name().equalsIgnoreCase(lowerCaseName));
    }

    private static @Nullable String cacheControl(Optional<Duration> maxAge) {
        return maxAge.map(age -> "max-age=" + age.toSeconds()).orElse(null);
    }

    private static List<Field> configured(Map<String, String> headers) {
        return headers.entrySet().stream().map(header -> new Field(header.getKey(), header.getValue())).toList();
    }

    /// nosniff: a type from the table is final. Referrer-Policy: another site learns our origin, not the path.
    private List<Field> securityFields() {
        List<Field> fields = new ArrayList<>();
        fields.add(new Field("X-Content-Type-Options", "nosniff"));
        fields.add(new Field("Referrer-Policy", "strict-origin-when-cross-origin"));
        fields.removeIf(field -> isConfigured(field.name().toLowerCase(Locale.ROOT)));
        return List.copyOf(fields);
    }

    private static String withoutSlash(String path) {
        return path.startsWith("/") ? path.substring(1) : path;
    }
}
