package io.servery.netty.files;

import io.servery.http.exchange.Refusal;
import io.servery.netty.files.open.Opened;
import io.servery.netty.files.open.OpenedDirectory;
import io.servery.netty.files.open.OpenedFile;
import io.servery.netty.files.open.Root;

/// One root, the prefix of the paths that are looked for in it, and how its files are answered.
///
/// @param prefix begins and ends with `/`
record FileTree(String prefix, Root root, FilePolicy policy) {
    /// What a path turned out to be. Whoever gets a `File` or a `Listed` closes it.
    sealed interface Found {
        /// A regular file.
        ///
        /// @param path relative to the root: of the index file, where that was found
        record File(OpenedFile file, String path) implements Found {
        }

        /// A directory whose name lacks its slash.
        record Unslashed() implements Found {
        }

        record Listed(OpenedDirectory directory) implements Found {
        }

        record Refused(Refusal refusal) implements Found {
        }
    }

    /// Whether paths like this are looked for here.
    boolean holds(String path) {
        return path.startsWith(prefix);
    }

    /// Whether this is the prefix without its slash: `/static` for `/static/`.
    boolean isUnslashedPrefix(String path) {
        return path.length() == prefix.length() - 1 && prefix.startsWith(path);
    }

    /// Looks for a path that it holds; blocks.
    Found find(String path) {
        String relative = path.substring(prefix.length());
        if (relative.isEmpty() || relative.endsWith("/")) {
            return findInDirectory(relative);
        }
        return switch (root.open(relative)) {
            case Opened.File(OpenedFile file) -> new Found.File(file, relative);
            case Opened.Directory(OpenedDirectory directory) -> {
                directory.close();
                yield new Found.Unslashed();
            }
            case Opened.Refused(Refusal refusal, int _) -> new Found.Refused(refusal);
        };
    }

    /// The first index file, or else the directory itself. An index that is there and cannot be read is refused: the
    /// listing is no substitute for it.
    private Found findInDirectory(String relative) {
        for (String index : policy.index()) {
            switch (root.open(relative + index)) {
                case Opened.File(OpenedFile file) -> {
                    return new Found.File(file, relative + index);
                }
                case Opened.Directory(OpenedDirectory directory) -> directory.close();
                case Opened.Refused(Refusal refusal, int _) -> {
                    if (refusal != Refusal.NOT_FOUND) {
                        return new Found.Refused(refusal);
                    }
                }
            }
        }
        return policy.listing() ? findListed(relative) : new Found.Refused(Refusal.NOT_FOUND);
    }

    private Found findListed(String relative) {
        String directoryPath = relative.isEmpty() ? "" : relative.substring(0, relative.length() - 1);
        return switch (root.open(directoryPath)) {
            case Opened.Directory(OpenedDirectory directory) -> new Found.Listed(directory);
            case Opened.File(OpenedFile file) -> {
                file.close();
                yield new Found.Refused(Refusal.NOT_FOUND);
            }
            case Opened.Refused(Refusal refusal, int _) -> new Found.Refused(refusal);
        };
    }
}
