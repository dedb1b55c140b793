package io.servery.http.semantics;

import io.servery.http.semantics.TargetPath.Accepted;
import io.servery.http.semantics.TargetPath.Fault;

/// The path of a target as files are named by it: without `.` segments and empty ones, no separator hidden in a name.
///
/// Judge the whole path of the target, before a mount's prefix is taken off: `/.well-known/` is special at the root alone
/// (RFC 8615 §3).
public final class FilePath {
    /// How many segments a path of files may have.
    public static final int DEPTH_MAX = 64;

    private static final String WELL_KNOWN = ".well-known";

    /// What became of a path.
    public sealed interface Result {
    }

    /// A path to look for.
    ///
    /// *Invariant*: `path` starts with `/`, has no `//` and no segment `.` or `..`, and ends with `/` exactly when
    /// `directory` is true. It is the decoded path itself, not a copy, where that is so already.
    public record Named(String path, boolean directory) implements Result {
    }

    /// A path that is answered with 404 whatever the disk holds: a name in it begins with a dot.
    public record Hidden() implements Result {
    }

    /// A path that is answered with 400.
    public record Rejected(Fault fault) implements Result {
    }

    private final String decoded;
    private int depth;
    private boolean hidden;
    private boolean normal = true;

    private FilePath(String decoded) {
        this.decoded = decoded;
    }

    /// The path by which to look for a file.
    public static Result of(Accepted accepted, boolean showsHidden) {
        if (accepted.encodedSeparator()) {
            return new Rejected(Fault.ENCODED_SEPARATOR);
        }
        FilePath path = new FilePath(accepted.decoded());
        path.survey();
        if (path.depth > DEPTH_MAX) {
            return new Rejected(Fault.DEPTH);
        }
        if (path.hidden && !showsHidden) {
            return new Hidden();
        }
        String named = path.normal ? path.decoded : path.normalized();
        return new Named(named, named.endsWith("/"));
    }

    /// Whether a listing leaves out a name: it begins with a dot.
    public static boolean hides(String name) {
        return name.startsWith(".");
    }

    private void survey() {
        for (int from = 1; from <= decoded.length(); from = end(from) + 1) {
            int end = end(from);
            if (isCurrent(from, end)) {
                normal = false;
            } else if (end == from) {
                normal &= end == decoded.length();
            } else {
                depth++;
                hidden |= decoded.charAt(from) == '.' && !isWellKnown(from, end);
            }
        }
    }

    private String normalized() {
        StringBuilder path = new StringBuilder(decoded.length()).append('/');
        for (int from = 1; from <= decoded.length(); from = end(from) + 1) {
            int end = end(from);
            if (end > from && !isCurrent(from, end)) {
                path.append(decoded, from, end);
                if (end < decoded.length()) {
                    path.append('/');
                }
            }
        }
        return path.toString();
    }

    private int end(int from) {
        int slash = decoded.indexOf('/', from);
        return slash < 0 ? decoded.length() : slash;
    }

    private boolean isCurrent(int from, int end) {
        return end - from == 1 && decoded.charAt(from) == '.';
    }

    private boolean isWellKnown(int from, int end) {
        return depth == 1 && end - from == WELL_KNOWN.length() && decoded.startsWith(WELL_KNOWN, from);
    }
}
