package io.servery.netty.files;

import io.servery.http.semantics.Html;
import io.servery.http.semantics.HttpDate;
import io.servery.http.semantics.LocationPath;
import io.servery.netty.files.ListingView.Sort;
import io.servery.netty.files.open.DirectoryEntry;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.StringJoiner;

/// A listing as a page: a table that is sorted, filtered and turned by links and a form, without scripts.
final class ListingPage {
    /// How many pages beside the current one have a link of their own on each side.
    private static final int NEIGHBOURS = 2;

    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("uuuu-MM-dd", Locale.ROOT);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);

    private final ListedDirectory directory;
    private final ListingContents contents;
    private final ListingView view;
    private final StringBuilder html;
    /// Carried along by links to other directories: the order, not the filter.
    private final String elsewhere;

    ListingPage(ListedDirectory directory, ListingContents contents, ListingView view) {
        this.directory = directory;
        this.contents = contents;
        this.view = view.onPage(contents.page());
        this.html = new StringBuilder(8 * 1_024 + contents.entries().size() * 320);
        this.elsewhere = Html.escape(view.unfiltered().query());
    }

    /// The whole page. Called once.
    String html() {
        String title = Html.escapeName(directory.path());
        html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Index of ")
                .append(title).append(contents.page() > 1 ? ", page " + contents.page() : "")
                .append("</title>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
                .append("<meta name=\"color-scheme\" content=\"light dark\">\n<style>").append(ListingStyle.CSS)
                .append("</style>\n</head>\n<body>\n").append(ListingStyle.PICTURES).append("<header>\n");
        breadcrumbs();
        html.append("<h1>").append(directory.root() ? "Index" : "<bdi>" + Html.escapeName(directory.name()) + "</bdi>")
                .append("</h1>\n");
        summary();
        form();
        html.append("</header>\n<main>\n");
        table();
        pages();
        return html.append("</main>\n</body>\n</html>\n").toString();
    }

    private void breadcrumbs() {
        String path = directory.path();
        html.append("<nav aria-label=\"Breadcrumb\"><ol>\n");
        breadcrumb("/", "<svg role=\"img\" aria-label=\"Root\"><use href=\"#root\"/></svg>");
        for (int from = 1; from < path.length(); from = path.indexOf('/', from) + 1) {
            int slash = path.indexOf('/', from);
            breadcrumb(path.substring(0, slash), "<bdi>" + Html.escapeName(path.substring(from, slash)) + "</bdi>");
        }
        html.append("</ol></nav>\n");
    }

    private void breadcrumb(String to, String label) {
        String address = LocationPath.ofDirectory(to, null);
        html.append("<li><a href=\"").append(Html.escape(address)).append(elsewhere).append('"')
                .append(address.equals(directory.address()) ? " aria-current=\"page\"" : "").append('>').append(label)
                .append("</a></li>\n");
    }

    private void summary() {
        int files = contents.total() - contents.directories();
        html.append("<p role=\"status\">");
        if (!view.filter().isEmpty()) {
            html.append("Names with \u201C<bdi>").append(Html.escapeName(view.filter())).append("</bdi>\u201D: ");
        }
        StringJoiner counts = new StringJoiner(", ").setEmptyValue("nothing");
        if (contents.directories() > 0) {
            counts.add(counted(contents.directories(), "folder", "folders"));
        }
        if (files > 0) {
            counts.add(counted(files, "file", "files")).add(size(contents.bytes()));
        }
        if (contents.pages() > 1) {
            counts.add("page " + contents.page() + " of " + contents.pages());
        }
        html.append(counts).append("</p>\n");
        if (!contents.complete()) {
            html.append(
                    "<p class=\"cut\"><strong>Not everything is here.</strong> This folder is too large to be listed")
                    .append(" whole. A filter finds names that are not shown, too.</p>\n");
        }
    }

    private void form() {
        html.append("<form method=\"get\" action=\"./\" role=\"search\">\n<input type=\"search\" name=\"q\" value=\"")
                .append(Html.escape(view.filter()))
                .append("\" placeholder=\"Filter names\" aria-label=\"Filter names\" maxlength=\"255\"")
                .append(" autocomplete=\"off\" spellcheck=\"false\">\n");
        if (view.sort() != Sort.NAME) {
            html.append("<input type=\"hidden\" name=\"sort\" value=\"").append(view.sort().word()).append("\">\n");
        }
        if (view.descending()) {
            html.append("<input type=\"hidden\" name=\"order\" value=\"desc\">\n");
        }
        html.append("<button>Filter</button>\n");
        if (!view.filter().isEmpty()) {
            html.append("<a href=\"./").append(elsewhere).append("\">Clear</a>\n");
        }
        html.append("</form>\n");
    }

    private void table() {
        html.append("<table>\n<caption>Contents of <bdi>").append(Html.escapeName(directory.path()))
                .append("</bdi>, folders first</caption>\n<thead><tr>");
        column("Name", Sort.NAME, false);
        column("Size", Sort.SIZE, true);
        column("Modified <small>UTC</small>", Sort.MODIFIED, true);
        html.append("</tr></thead>\n<tbody>\n");
        if (!directory.root()) {
            html.append("<tr><th scope=\"row\"><a href=\"../").append(elsewhere).append("\">").append(icon("up", "up"))
                    .append("<span>Parent folder</span></a></th><td></td><td></td></tr>\n");
        }
        contents.entries().forEach(this::row);
        html.append("</tbody>\n</table>\n");
        if (contents.entries().isEmpty()) {
            html.append("<p class=\"none\">")
                    .append(view.filter().isEmpty() ? "This folder is empty." : "No name here contains that.")
                    .append("</p>\n");
        }
    }

    /// @param greatestFirst the direction in which a first click sorts; another click turns it
    private void column(String label, Sort sort, boolean greatestFirst) {
        boolean current = view.sort() == sort;
        boolean descending = current ? !view.descending() : greatestFirst;
        String query = view.sortedBy(sort, descending).query();
        html.append("<th scope=\"col\"");
        if (current) {
            html.append(" aria-sort=\"").append(view.descending() ? "descending" : "ascending").append('"');
        }
        html.append("><a href=\"./").append(Html.escape(query)).append("\">").append(label);
        if (current) {
            html.append(view.descending() ? icon("down", "turn") : icon("upward", "turn"));
        }
        html.append("</a></th>");
    }

    private void row(DirectoryEntry entry) {
        String reference = directory.reference(entry);
        String name = "<bdi>" + Html.escapeName(entry.name()) + (entry.directory() ? "/" : "") + "</bdi>";
        String kind = entry.directory() ? "folder" : FileKind.of(entry.name()).id();
        String label = icon(kind, kind) + "<span>" + name + "</span>";
        html.append("<tr><th scope=\"row\">");
        if (reference == null) {
            html.append("<span class=\"un\" title=\"No address can name this\">").append(label).append("</span>");
        } else {
            html.append("<a href=\"").append(reference).append(entry.directory() ? elsewhere : "").append("\">")
                    .append(label).append("</a>");
        }
        html.append("</th><td>").append(entry.directory()
                ? "<span aria-label=\"folder\">\u2013</span>"
                : size(entry
                        .size()))
                .append("</td><td>");
        time(entry.modifiedEpochSecond());
        html.append("</td></tr>\n");
    }

    private void time(long epochSecond) {
        if (HttpDate.representable(epochSecond)) {
            LocalDateTime time = LocalDateTime.ofEpochSecond(epochSecond, 0, ZoneOffset.UTC);
            html.append("<time datetime=\"").append(time.format(DAY)).append('T').append(time.format(TIME))
                    .append("Z\">").append(time.format(DAY)).append("<span> ").append(time.format(TIME))
                    .append("</span></time>");
        }
    }

    private void pages() {
        if (contents.pages() == 1) {
            return;
        }
        int page = contents.page();
        html.append("<nav aria-label=\"Pages\"><ol>\n");
        turn(page - 1, "prev", "Previous");
        for (int number = 1; number <= contents.pages(); number++) {
            if (number == 1 || number == contents.pages() || Math.abs(number - page) <= NEIGHBOURS) {
                html.append("<li").append(Math.abs(number - page) > 0 ? " class=\"far\"" : "").append("><a href=\"./")
                        .append(Html.escape(view.onPage(number).query())).append('"')
                        .append(number == page ? " aria-current=\"page\"" : "").append(" aria-label=\"Page ")
                        .append(number).append(" of ").append(contents.pages()).append("\">").append(number)
                        .append("</a></li>\n");
            } else if (Math.abs(number - page) == NEIGHBOURS + 1) {
                html.append("<li class=\"far\" aria-hidden=\"true\">\u2026</li>\n");
            }
        }
        turn(page + 1, "next", "Next");
        html.append("</ol></nav>\n");
    }

    private void turn(int to, String relation, String label) {
        if (to >= 1 && to <= contents.pages()) {
            html.append("<li><a rel=\"").append(relation).append("\" href=\"./")
                    .append(Html.escape(view.onPage(to).query())).append("\">").append(label).append("</a></li>\n");
        }
    }

    private static String icon(String id, String kind) {
        return "<svg class=\"" + kind + "\" aria-hidden=\"true\"><use href=\"#" + id + "\"/></svg>";
    }

    private static String counted(int count, String one, String many) {
        return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : many);
    }

    /// In powers of 1024, three digits or so: `5 B`, `9.8 KiB`, `120 MiB`.
    static String size(long bytes) {
        if (bytes < 1024) {
            return bytes + "\u00A0B";
        }
        double value = bytes;
        int unit = -1;
        while (value >= 1023.95 && unit < 5) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, value < 99.95 ? "%.1f\u00A0%ciB" : "%.0f\u00A0%ciB", value,
                "KMGTPE".charAt(unit));
    }
}
