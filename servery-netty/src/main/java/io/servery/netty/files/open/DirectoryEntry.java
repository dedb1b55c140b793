package io.servery.netty.files.open;

/// A name in a directory and what is served under it.
///
/// @param requestable whether a target can name it: its octets are UTF-8 without controls; the name has U+FFFD in their
///     place where not
/// @param size of a file; 0 for a directory
public record DirectoryEntry(String name, boolean requestable, boolean directory, long size,
        long modifiedEpochSecond) {
}
