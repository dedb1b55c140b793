package io.servery.netty.identity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What the file system says of some files, links followed: equal as long as nobody has changed or exchanged one.
///
/// A file that is written twice within a tick of the file system's clock may look the same after the second time. So one that was
/// changed a moment ago is another a moment later.
record FileStates(List<State> files) {
    /// A file system that counts whole seconds has none that is longer.
    private static final Duration TICK_MAX = Duration.ofSeconds(1);

    /// One file; a file that is not there has no key and no time.
    ///
    /// @param young whether a change that came after this may not show
    record State(Path path, @Nullable Object key, long modifiedNanos, long bytes, boolean young) {
    }

    static FileStates of(List<Path> paths, Instant now) {
        return new FileStates(paths.stream().map(path -> state(path, now)).toList());
    }

    private static State state(Path path, Instant now) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return new State(path, attributes.fileKey(),
                    attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS), attributes.size(),
                    attributes.lastModifiedTime().toInstant().isAfter(now.minus(TICK_MAX)));
        } catch (IOException gone) {
            return new State(path, null, 0, 0, false);
        }
    }
}
