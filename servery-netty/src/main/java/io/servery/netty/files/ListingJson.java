package io.servery.netty.files;

import io.servery.http.semantics.HttpDate;
import io.servery.http.semantics.JsonString;
import io.servery.netty.files.open.DirectoryEntry;
import java.time.Instant;

/// A listing as JSON; docs/listings.md has its schema.
final class ListingJson {
    private final ListedDirectory directory;
    private final ListingContents contents;

    ListingJson(ListedDirectory directory, ListingContents contents) {
        this.directory = directory;
        this.contents = contents;
    }

    /// The whole text.
    String json() {
        StringBuilder json = new StringBuilder(256 + contents.entries().size() * 128).append("{\"path\":");
        JsonString.append(json, directory.path());
        json.append(",\"page\":").append(contents.page()).append(",\"pages\":").append(contents.pages())
                .append(",\"total\":").append(contents.total()).append(",\"complete\":").append(contents.complete())
                .append(",\"entries\":[");
        String separator = "\n";
        for (DirectoryEntry entry : contents.entries()) {
            append(json.append(separator), entry);
            separator = ",\n";
        }
        return json.append("\n]}\n").toString();
    }

    private void append(StringBuilder json, DirectoryEntry entry) {
        JsonString.append(json.append("{\"name\":"), entry.name());
        String reference = directory.reference(entry);
        json.append(",\"href\":");
        if (reference == null) {
            json.append("null");
        } else {
            JsonString.append(json, reference);
        }
        json.append(",\"kind\":").append(entry.directory() ? "\"directory\",\"size\":null" : "\"file\",\"size\":");
        if (!entry.directory()) {
            json.append(entry.size());
        }
        long modified = entry.modifiedEpochSecond();
        json.append(",\"modified\":");
        if (HttpDate.representable(modified)) {
            json.append('"').append(Instant.ofEpochSecond(modified)).append('"');
        } else {
            json.append("null");
        }
        json.append('}');
    }
}
