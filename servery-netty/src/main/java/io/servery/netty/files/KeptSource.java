package io.servery.netty.files;

import io.servery.http.semantics.AcceptEncoding;
import org.jspecify.annotations.Nullable;

/// What a cache keeps of one file to answer any number of requests.
sealed interface KeptSource permits MemoryFile, OpenForms {
    /// A source for one answer, in the form that is liked best where the kept forms are different files; null when it can
    /// serve no more.
    @Nullable
    FileSource take(AcceptEncoding accepted);

    /// How much memory it takes.
    long bytesHeld();

    /// How many descriptors it holds open.
    int descriptors();

    /// The cache keeps it no longer; answers that are being sent from it go on.
    void letGo();
}
