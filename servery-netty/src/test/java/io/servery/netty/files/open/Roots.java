package io.servery.netty.files.open;

import io.servery.core.config.StaticFiles.Symlinks;
import java.io.IOException;
import java.nio.file.Path;

/// Roots, and files in memory, over system calls that a test makes fail.
public final class Roots {
    private Roots() {
    }

    public static Root open(Path directory, Symlinks policy, FaultyCalls calls) throws IOException {
        return Root.open(directory, policy, calls);
    }

    public static AnonymousFiles anonymous(FaultyCalls calls) {
        return new AnonymousFiles(calls);
    }
}
