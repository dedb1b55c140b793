package io.servery.netty.files.open;

import static io.servery.netty.files.open.OpenFlags.O_DIRECTORY;
import static io.servery.netty.files.open.OpenFlags.O_NOFOLLOW;
import static io.servery.netty.files.open.OpenFlags.PLACE;
import static io.servery.netty.files.open.OpenFlags.RESOLVE_BENEATH;
import static io.servery.netty.files.open.OpenFlags.RESOLVE_NO_MAGICLINKS;
import static io.servery.netty.files.open.OpenFlags.RESOLVE_NO_SYMLINKS;

import io.servery.core.config.StaticFiles.Symlinks;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Descriptors for paths beneath one directory, contained as the policy for links says.
///
///     deny     every component as it is named, no link among them
///     inside   links followed by the kernel while they stay beneath; one that leaves (an absolute one, say) is looked up
///              without effect, and where it led is opened as under deny, by its own path beneath the root
///     follow   links followed anywhere
///
/// No answer depends on a name that was looked at before: each is decided by the kernel in the call that opens, or by a
/// walk that holds every directory it has passed. Where `openat2` is missing (Linux before 5.6, a seccomp filter) the walk
/// does all of it.
final class Beneath {
    /// How often a lookup that raced with a rename is tried again before the walk does it.
    private static final int RACE_TRIES = 8;
    private static final byte[] HERE = {'.'};
    private static final byte[] ITSELF = {};

    private final Calls calls;
    private final int root;
    private final Symlinks policy;
    private final boolean openat2;

    Beneath(Calls calls, int root, Symlinks policy) {
        this.calls = calls;
        this.root = root;
        this.policy = policy;
        this.openat2 = supportsOpenat2(calls, root);
    }

    private static boolean supportsOpenat2(Calls calls, int root) {
        int descriptor = calls.openat2(root, HERE, PLACE, RESOLVE_BENEATH);
        if (descriptor >= 0) {
            calls.close(descriptor);
        }
        return descriptor >= 0;
    }

    /// Whether the kernel contains lookups for us.
    boolean byKernel() {
        return openat2;
    }

    /// A descriptor for the path, or the error number with its sign turned.
    ///
    /// @param path relative, without empty components, `.` and `..`; empty for the root
    int open(byte[] path, int flags) {
        byte[] named = path.length == 0 ? HERE : path;
        return switch (policy) {
            case DENY -> strict(named, flags);
            case INSIDE -> inside(named, flags);
            case FOLLOW -> following(named, flags);
        };
    }

    /// What lies at the path, links followed as the policy says.
    int stat(byte[] path, Attributes into) {
        int place = open(path, PLACE);
        if (place < 0) {
            return place;
        }
        int result = calls.stat(place, ITSELF, into);
        calls.close(place);
        return result;
    }

    private int following(byte[] path, int flags) {
        return openat2 ? calls.openat2(root, path, flags, RESOLVE_NO_MAGICLINKS) : calls.openat(root, path, flags);
    }

    private int inside(byte[] path, int flags) {
        int result = openat2 ? kernel(path, flags, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS) : walk(path, flags);
        boolean leads = result == -Errno.EXDEV || result == -Errno.EAGAIN
                || !openat2 && (result == -Errno.ELOOP || result == -Errno.ENOTDIR);
        return leads ? whereItLeads(path, flags) : result;
    }

    private int strict(byte[] path, int flags) {
        int result = openat2
                ? kernel(path, flags, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS)
                : walk(path, flags);
        return result == -Errno.EAGAIN ? walk(path, flags) : result;
    }

    private int kernel(byte[] path, int flags, int resolve) {
        int result = -Errno.EAGAIN;
        for (int i = 0; i < RACE_TRIES && result == -Errno.EAGAIN; i++) {
            result = calls.openat2(root, path, flags, resolve);
        }
        return result;
    }

    /// Follows the path wherever it leads, to a place that has no effect on what is there; if that place lies beneath the
    /// root now, opens it by its own path, in which no link may have appeared since.
    private int whereItLeads(byte[] path, int flags) {
        int place = following(path, PLACE);
        if (place < 0) {
            return place;
        }
        byte[] target = pathOf(place);
        calls.close(place);
        byte[] home = pathOf(root);
        byte[] relative = target == null || home == null ? null : relative(home, target);
        return relative == null ? -Errno.EXDEV : strict(relative, flags);
    }

    private byte @Nullable [] pathOf(int descriptor) {
        return calls.readlink(("/proc/self/fd/" + descriptor).getBytes(StandardCharsets.US_ASCII));
    }

    static byte @Nullable [] relative(byte[] home, byte[] target) {
        if (Arrays.equals(home, target)) {
            return HERE;
        }
        int prefix = home.length == 1 ? 1 : home.length + 1;
        boolean beneath = target.length > prefix && target[prefix - 1] == '/'
                && Arrays.equals(home, 0, prefix - 1, target, 0, prefix - 1);
        return beneath ? Arrays.copyOfRange(target, prefix, target.length) : null;
    }

    /// Opens component by component, each in the directory held open before it and none of them a link.
    private int walk(byte[] path, int flags) {
        int at = root;
        int from = 0;
        for (int slash = slash(path, 0); slash < path.length; slash = slash(path, from)) {
            int next = calls.openat(at, Arrays.copyOfRange(path, from, slash), PLACE | O_DIRECTORY | O_NOFOLLOW);
            release(at);
            if (next < 0) {
                return next;
            }
            at = next;
            from = slash + 1;
        }
        int result = last(at, Arrays.copyOfRange(path, from, path.length), flags);
        release(at);
        return result;
    }

    /// A place may be a link itself when it is not followed: that is not what was asked for.
    private int last(int directory, byte[] name, int flags) {
        int descriptor = calls.openat(directory, name, flags | O_NOFOLLOW);
        if (descriptor < 0 || (flags & OpenFlags.O_PATH) == 0) {
            return descriptor;
        }
        Attributes attributes = new Attributes();
        int known = calls.stat(descriptor, ITSELF, attributes);
        if (known < 0 || attributes.link()) {
            calls.close(descriptor);
            return known < 0 ? known : -Errno.ELOOP;
        }
        return descriptor;
    }

    private void release(int directory) {
        if (directory != root) {
            calls.close(directory);
        }
    }

    private static int slash(byte[] path, int from) {
        int at = from;
        while (at < path.length && path[at] != '/') {
            at++;
        }
        return at;
    }
}
