package io.servery.netty.files;

import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponseHead.Field;
import io.servery.http.exchange.ResponsePlan;
import io.servery.http.semantics.FilePath;
import io.servery.http.semantics.Html;
import io.servery.http.semantics.HttpDate;
import io.servery.http.semantics.LocationPath;
import io.servery.http.semantics.PercentEncoding;
import io.servery.http.semantics.Status;
import io.servery.http.semantics.TargetPath;
import io.servery.netty.files.open.DirectoryEntries;
import io.servery.netty.files.open.DirectoryEntry;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// The page that lists a directory: directories first, then files, by name. No scripts; its one style is allowed by its
/// hash, and nothing else is.
final class ListingPage {
    /// How many entries a page has; past it the page says that it is cut.
    static final int ENTRIES_MAX = 10_000;
    /// How long a page gets, in characters of HTML, whatever the lengths of its names; past it the page is cut, too.
    static final int PAGE_CHARS_MAX = 4 * 1024 * 1024;

    private static final String STYLE = """
            :root{color-scheme:light dark;--line:#d0d7de;--dim:#57606a;--link:#0550ae}
            @media(prefers-color-scheme:dark){:root{--line:#30363d;--dim:#9198a1;--link:#79c0ff}}
            body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}
            h1{font-size:1.25rem;overflow-wrap:anywhere}
            table{border-collapse:collapse;width:100%}
            th,td{padding:.35rem .5rem;text-align:start;border-block-end:1px solid var(--line)}
            th{font-weight:600;color:var(--dim)}
            td{overflow-wrap:anywhere}
            .n{text-align:end;white-space:nowrap;font-variant-numeric:tabular-nums;color:var(--dim)}
            @media(max-width:32rem){.n:last-child{white-space:normal;min-width:6.5rem}}
            a{color:var(--link);text-decoration:none}
            a:hover,a:focus{text-decoration:underline}
            p{color:var(--dim)}
            """;

    private static final String POLICY = "default-src 'none'; style-src 'sha256-" + hash(STYLE)
            + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /// Blanks that a page would show as a space: a name is to look as odd as it is.
    private static final Pattern LINE_BREAKS = Pattern.compile("[\\t\\n]");

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);

    private static final Comparator<DirectoryEntry> ORDER = Comparator.comparing((DirectoryEntry entry) -> !entry
            .directory()).thenComparing(DirectoryEntry::name, String.CASE_INSENSITIVE_ORDER)
            .thenComparing(DirectoryEntry::name);

    private final String path;
    private final DirectoryEntries entries;

    /// @param path of the directory, with its slash
    ListingPage(String path, DirectoryEntries entries) {
        this.path = path;
        this.entries = entries;
    }

    /// Which names are listed.
    static Predicate<String> wanted(FilePolicy policy) {
        return policy.showsHidden() ? _ -> true : name -> !FilePath.hides(name);
    }

    /// The whole answer.
    ResponsePlan.Bytes plan(FilePolicy policy) {
        byte[] content = html().getBytes(StandardCharsets.UTF_8);
        List<Field> common = new ArrayList<>();
        common.add(new Field("Content-Type", "text/html; charset=utf-8"));
        common.add(new Field("Cache-Control", "no-cache"));
        common.add(new Field("Content-Security-Policy", POLICY));
        common.add(new Field("X-Content-Type-Options", "nosniff"));
        common.add(new Field("Referrer-Policy", "same-origin"));
        for (Field field : policy.configuredFields()) {
            common.removeIf(ours -> ours.name().equalsIgnoreCase(field.name())
                    && !ours.name().equals("Content-Type"));
            if (!field.name().equalsIgnoreCase("Content-Type")) {
                common.add(field);
            }
        }
        return new ResponsePlan.Bytes(ResponseHead.status(Status.OK).with(common).length(content.length), content);
    }

    private String html() {
        StringBuilder html = new StringBuilder(1_024 + entries.entries().size() * 160);
        String title = Html.escape(path);
        html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Index of ")
                .append(title).append("</title>\n<style>").append(STYLE)
                .append("</style>\n</head>\n<body>\n<main>\n<h1>Index of ");
        breadcrumbs(html);
        html.append("</h1>\n<table>\n<thead><tr><th scope=\"col\">Name</th><th scope=\"col\" class=\"n\">Size</th>")
                .append("<th scope=\"col\" class=\"n\">Modified (UTC)</th></tr></thead>\n<tbody>\n");
        if (!path.equals("/")) {
            html.append("<tr><td><a href=\"../\">../</a></td><td class=\"n\"></td><td class=\"n\"></td></tr>\n");
        }
        int shown = rows(html);
        html.append("</tbody>\n</table>\n");
        if (entries.entries().isEmpty()) {
            html.append("<p>There is nothing to list here.</p>\n");
        }
        if (!entries.complete() || shown < entries.entries().size()) {
            html.append("<p>Only ").append(shown).append(" entries are shown; this directory has more.</p>\n");
        }
        return html.append("</main>\n</body>\n</html>\n").toString();
    }

    private int rows(StringBuilder html) {
        int shown = 0;
        for (DirectoryEntry entry : entries.entries().stream().sorted(ORDER).toList()) {
            if (html.length() > PAGE_CHARS_MAX) {
                return shown;
            }
            row(html, entry);
            shown++;
        }
        return shown;
    }

    private void breadcrumbs(StringBuilder html) {
        html.append("<a href=\"/\">/</a>");
        for (int from = 1; from < path.length(); from = path.indexOf('/', from) + 1) {
            int slash = path.indexOf('/', from);
            html.append("<a href=\"").append(Html.escape(LocationPath.ofDirectory(path.substring(0, slash), null)))
                    .append("\">").append(Html.escape(path.substring(from, slash))).append("/</a>");
        }
    }

    private static void row(StringBuilder html, DirectoryEntry entry) {
        String slash = entry.directory() ? "/" : "";
        String segment = PercentEncoding.pathSegment(entry.name());
        String name = Html.escape(LINE_BREAKS.matcher(entry.name()).replaceAll("\uFFFD"));
        html.append("<tr><td>");
        if (requestable(entry, segment)) {
            html.append("<a href=\"").append(segment).append(slash).append("\">").append(name).append(slash)
                    .append("</a>");
        } else {
            html.append("<span title=\"No address can name this\">").append(name).append(slash).append("</span>");
        }
        html.append("</td><td class=\"n\">").append(entry.directory() ? "" : size(entry.size()))
                .append("</td><td class=\"n\">").append(time(entry.modifiedEpochSecond())).append("</td></tr>\n");
    }

    /// Whether a link would be answered with what it names: some names cannot stand in a target.
    private static boolean requestable(DirectoryEntry entry, String segment) {
        return entry.utf8() && TargetPath.resolve("/" + segment) instanceof TargetPath.Accepted accepted
                && !accepted.encodedSeparator();
    }

    private static String size(long bytes) {
        if (bytes < 1024) {
            return bytes + " B";
        }
        double value = bytes;
        int unit = -1;
        while (value >= 1024 && unit < 4) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %ciB", value, "KMGTP".charAt(unit));
    }

    private static String time(long epochSecond) {
        return HttpDate.representable(epochSecond)
                ? LocalDateTime.ofEpochSecond(epochSecond, 0, ZoneOffset.UTC).format(TIME)
                : "";
    }

    private static String hash(String style) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(style.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: every JDK has it", e);
        }
    }
}
