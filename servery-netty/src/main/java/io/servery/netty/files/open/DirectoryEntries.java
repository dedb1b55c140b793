package io.servery.netty.files.open;

import java.util.List;

/// What a directory holds, in no order.
///
/// @param complete whether all of it is here, not the first of it up to the limit
public record DirectoryEntries(List<DirectoryEntry> entries, boolean complete) {
    public DirectoryEntries {
        entries = List.copyOf(entries);
    }
}
