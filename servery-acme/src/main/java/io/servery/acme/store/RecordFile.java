package io.servery.acme.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/// One file that is replaced as a whole.
///
/// *Owner*: whoever has the lock of the state directory.
///
/// @param kind what it says it is, in its first line
/// @param codec between the value and the text behind that line
record RecordFile<T>(Path directory, String kind, Codec<T> codec) {
    private static final int SIZE_MAX = 1 << 20;

    /// Between a value and its text.
    interface Codec<T> {
        String encode(T value);

        T decode(String body) throws DamageException;
    }

    Path path() {
        return directory.resolve(kind);
    }

    /// Returns when the new content will be found whatever happens; until then the old one is.
    void write(Disk disk, T value) throws IOException {
        Path next = directory.resolve(kind + ".new");
        disk.deleteIfPresent(next);
        disk.create(next, Envelope.seal(kind, codec.encode(value)));
        disk.syncFile(next);
        disk.rename(next, path());
        disk.syncDirectory(directory);
    }

    Loaded<T> read(Disk disk) throws IOException {
        if (!isPresent()) {
            return new Loaded.Absent<>();
        }
        try {
            return new Loaded.Present<>(whole());
        } catch (DamageException damage) {
            return setAside(disk, String.valueOf(damage.getMessage()));
        }
    }

    /// What is there; nothing is made of damage, which stays where it is.
    Optional<T> peek() throws IOException {
        try {
            return isPresent() ? Optional.of(whole()) : Optional.empty();
        } catch (DamageException damage) {
            return Optional.empty();
        }
    }

    boolean isPresent() {
        return Files.exists(path(), LinkOption.NOFOLLOW_LINKS);
    }

    private T whole() throws IOException, DamageException {
        Privacy.requirePrivateFile(path());
        try (InputStream in = Files.newInputStream(path(), LinkOption.NOFOLLOW_LINKS)) {
            byte[] content = in.readNBytes(SIZE_MAX + 1);
            if (content.length > SIZE_MAX) {
                throw new DamageException("found more than " + SIZE_MAX + " bytes; expected less");
            }
            return codec.decode(Envelope.open(kind, content));
        }
    }

    void delete(Disk disk) throws IOException {
        disk.deleteIfPresent(path());
        disk.syncDirectory(directory);
    }

    /// What a writer left that was stopped on its way.
    void deleteLeftover(Disk disk) throws IOException {
        disk.deleteIfPresent(directory.resolve(kind + ".new"));
    }

    /// One of each kind is kept: the last.
    private Loaded<T> setAside(Disk disk, String why) throws IOException {
        Path aside = directory.resolve(kind + ".damaged");
        disk.rename(path(), aside);
        disk.syncDirectory(directory);
        return new Loaded.Damaged<>(aside, why);
    }
}
