package io.servery.netty.files.open;

import io.servery.http.exchange.Refusal;

/// What a path beneath a root turned out to be. Whoever gets a `File` or a `Directory` closes it.
public sealed interface Opened {
    /// A regular file.
    record File(OpenedFile file) implements Opened {
    }

    /// A directory.
    record Directory(OpenedDirectory directory) implements Opened {
    }

    /// Nothing that may be served.
    ///
    /// @param errno the error number of the system, 0 when it was opened and is neither a regular file nor a directory
    record Refused(Refusal refusal, int errno) implements Opened {
    }
}
