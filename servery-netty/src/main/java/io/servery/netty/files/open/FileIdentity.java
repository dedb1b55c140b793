package io.servery.netty.files.open;

/// Which file was opened and which version of it, read from its descriptor. Two equal ones mean the same bytes.
///
/// @param changed when content or attributes last changed; no program can set it
public record FileIdentity(long device, long inode, long size, Time modified, Time changed) {
    /// A time of the file system.
    public record Time(long epochSecond, int nanos) implements Comparable<Time> {
        @Override
        public int compareTo(Time other) {
            int seconds = Long.compare(epochSecond, other.epochSecond);
            return seconds == 0 ? Integer.compare(nanos, other.nanos) : seconds;
        }
    }

    /// Whether this is the same content of the same file: renamed, replaced by another file, with other permissions, but
    /// not written to.
    ///
    /// `changed` is left out: unlinking or renaming a file changes it, and a download of a file that a deployment has
    /// just replaced is whole and worth ending.
    public boolean sameContent(FileIdentity other) {
        return device == other.device && inode == other.inode && size == other.size && modified.equals(other.modified);
    }
}
