package io.servery.netty.identity;

import io.servery.core.fault.Fault;
import io.servery.core.fault.Place;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// The text of a file that a key of the configuration names, or why there is none.
sealed interface FileText {
    /// Far more than a chain needs, and than the authorities of the world.
    int BYTES_MAX = 1 << 20;

    /// PEM is ASCII; whatever else is there is for its reader to refuse.
    record Read(String text) implements FileText {
    }

    /// It cannot be had.
    record Unread(Fault fault) implements FileText {
    }

    /// Reads it.
    ///
    /// @param key the key of the configuration
    static FileText read(String key, Path file) {
        try {
            if (!Files.isRegularFile(file)) {
                return unread(key, file, Files.exists(file) ? "no regular file" : "no file", "one in PEM");
            }
            return Files.size(file) > BYTES_MAX
                    ? unread(key, file, "more than " + BYTES_MAX + " bytes", "a file in PEM")
                    : new Read(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
        } catch (AccessDeniedException _) {
            return unread(key, file, "no permission to read it", "a file that the user of the service may read");
        } catch (NoSuchFileException _) {
            return unread(key, file, "no file", "one in PEM");
        } catch (IOException e) {
            return unread(key, file, "a file that cannot be read (" + e.getMessage() + ")", "one in PEM");
        }
    }

    private static FileText unread(String key, Path file, String found, String expected) {
        return new Unread(Fault.configuration(new Place.Named(file.toString()),
                "`" + key + "`: found " + found + "; expected " + expected));
    }
}
