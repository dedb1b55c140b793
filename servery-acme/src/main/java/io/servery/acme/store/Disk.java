package io.servery.acme.store;

import java.io.IOException;
import java.nio.file.Path;

/// The few operations by which files change: the seam at which a test takes the power away.
///
/// What is not synced may be lost, or not, whatever came before or after it: fsync(2) says no more.
interface Disk {

    /// Creates a file that is not there, private to its owner, with this content.
    void create(Path file, byte[] content) throws IOException;

    /// Returns when the content is on the medium.
    void syncFile(Path file) throws IOException;

    /// Returns when the names of a directory are on the medium.
    void syncDirectory(Path directory) throws IOException;

    /// Replaces what is there, in one instant.
    void rename(Path from, Path to) throws IOException;

    void deleteIfPresent(Path file) throws IOException;
}
