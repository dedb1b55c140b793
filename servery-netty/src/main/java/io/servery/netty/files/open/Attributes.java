package io.servery.netty.files.open;

/// What one `statx` said. *Owner*: whoever made it; filled by [Calls#stat].
final class Attributes {
    private static final int TYPE_MASK = 0xf000;
    private static final int DIRECTORY = 0x4000;
    private static final int REGULAR = 0x8000;
    private static final int LINK = 0xa000;

    int mode;
    long device;
    long inode;
    long size;
    long modifiedSecond;
    int modifiedNanos;
    long changedSecond;
    int changedNanos;

    boolean regular() {
        return (mode & TYPE_MASK) == REGULAR;
    }

    boolean directory() {
        return (mode & TYPE_MASK) == DIRECTORY;
    }

    boolean link() {
        return (mode & TYPE_MASK) == LINK;
    }

    FileIdentity identity() {
        return new FileIdentity(device, inode, size, new FileIdentity.Time(modifiedSecond, modifiedNanos),
                new FileIdentity.Time(changedSecond, changedNanos));
    }
}
