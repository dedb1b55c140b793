package io.servery.netty.identity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What the file system says of some files, links followed: equal as long as nobody has changed or exchanged one.
record FileStates(List<State> files) {
    /// One file; a file that is not there has no key and no time.
    record State(Path path, @Nullable Object key, long modifiedNanos, long bytes) {
    }

    static FileStates of(List<Path> paths) {
        return new FileStates(paths.stream().map(FileStates::state).toList());
    }

    private static State state(Path path) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return new State(path, attributes.fileKey(),
                    attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS), attributes.size());
        } catch (IOException gone) {
            return new State(path, null, 0, 0);
        }
    }
}
