package io.servery.acme.store;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// The file system.
final class RealDisk implements Disk {

    @Override
    public void create(Path file, byte[] content) throws IOException {
        try (FileChannel channel = FileChannel.open(file, Set.of(CREATE_NEW, WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            for (ByteBuffer left = ByteBuffer.wrap(content); left.hasRemaining();) {
                channel.write(left);
            }
        }
    }

    @Override
    public void syncFile(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, WRITE)) {
            channel.force(true);
        }
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, READ)) {
            channel.force(true);
        }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void deleteIfPresent(Path file) throws IOException {
        Files.deleteIfExists(file);
    }
}
