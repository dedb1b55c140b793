package io.servery.netty.files;

import io.servery.netty.files.ListingView.Sort;
import io.servery.netty.files.open.DirectoryEntries;
import io.servery.netty.files.open.DirectoryEntry;
import java.util.Comparator;
import java.util.List;

/// One page of a directory, cut out of the whole in the order of a view, and what is said of the whole.
///
/// @param entries of this page
/// @param page from 1 on, never past `pages`
/// @param total entries on all pages
/// @param directories how many of them are directories
/// @param bytes the sizes of the files together
/// @param complete false when the directory has more than was read
record ListingContents(List<DirectoryEntry> entries, int page, int pages, int total, int directories, long bytes,
        boolean complete) {
    static final int PAGE_ENTRIES_MAX = 200;

    private static final Comparator<DirectoryEntry> BY_NAME = Comparator.comparing(DirectoryEntry::name,
            NameOrder.INSTANCE);

    ListingContents {
        entries = List.copyOf(entries);
    }

    /// @param read already filtered as the view says
    static ListingContents of(DirectoryEntries read, ListingView view) {
        int total = read.entries().size();
        int pages = Math.max(1, Math.ceilDiv(total, PAGE_ENTRIES_MAX));
        int page = Math.min(view.page(), pages);
        List<DirectoryEntry> entries = read.entries().stream().sorted(order(view))
                .skip((page - 1L) * PAGE_ENTRIES_MAX).limit(PAGE_ENTRIES_MAX).toList();
        int directories = (int) read.entries().stream().filter(DirectoryEntry::directory).count();
        long bytes = read.entries().stream().mapToLong(DirectoryEntry::size).sum();
        return new ListingContents(entries, page, pages, total, directories, bytes, read.complete());
    }

    /// Directories first in either direction; among equals always by name upwards.
    static Comparator<DirectoryEntry> order(ListingView view) {
        Comparator<DirectoryEntry> wanted = by(view.sort());
        return Comparator.comparing((DirectoryEntry entry) -> !entry.directory())
                .thenComparing(view.descending() ? wanted.reversed() : wanted)
                .thenComparing(BY_NAME);
    }

    private static Comparator<DirectoryEntry> by(Sort sort) {
        return switch (sort) {
            case NAME -> BY_NAME;
            case SIZE -> Comparator.comparingLong(DirectoryEntry::size);
            case MODIFIED -> Comparator.comparingLong(DirectoryEntry::modifiedEpochSecond);
        };
    }
}
