package io.servery.netty.files.open;

/// A name in a directory and what is served under it.
///
/// @param utf8 whether the octets of the name are UTF-8; the name has U+FFFD in place of those that are not
/// @param size of a file; 0 for a directory
public record DirectoryEntry(String name, boolean utf8, boolean directory, long size,
        long modifiedEpochSecond) {
}
