package io.servery.core.config;

import io.servery.core.fault.Place;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/// The bytes of a configuration file: read within a bound, strictly UTF-8, no byte order mark.
final class ConfigurationFile {
    private static final int BYTES_MAX = 1 << 20;
    private static final int BYTE_ORDER_MARK = 0xFEFF;

    private final String name;
    private final Where whole;
    private final Faults faults;

    /// @param name for people, as it was typed
    ConfigurationFile(String name, Faults faults) {
        this.name = name;
        this.whole = new Where.Outside(new Place.Named(name));
        this.faults = faults;
    }

    Optional<SourceText> read(Path path) {
        try {
            if (Files.isDirectory(path)) {
                return refuse("found a directory; expected a file");
            }
            if (Files.exists(path) && !Files.isRegularFile(path)) {
                return refuse("found something else than a regular file; expected one");
            }
            try (InputStream in = Files.newInputStream(path)) {
                return decode(in.readNBytes(BYTES_MAX + 1));
            }
        } catch (NoSuchFileException _) {
            return refuse("found no such file; expected one (`init` writes a first one)");
        } catch (AccessDeniedException _) {
            return refuse("found a file that may not be read; expected one that may");
        } catch (IOException e) {
            return refuse("the file cannot be read (" + Printable.cause(e) + ")");
        }
    }

    Optional<SourceText> decode(byte[] bytes) {
        if (bytes.length > BYTES_MAX) {
            return refuse("found more than 1MiB; expected at most that");
        }
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return text.startsWith(Character.toString(BYTE_ORDER_MARK))
                    ? refuse("found a byte order mark at the beginning; expected plain UTF-8")
                    : Optional.of(new SourceText(name, text));
        } catch (CharacterCodingException _) {
            return refuse("found bytes that are not UTF-8 on line " + malformedLine(bytes) + "; expected UTF-8");
        }
    }

    /// The line of the first byte that cannot be decoded.
    private static int malformedLine(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        StandardCharsets.UTF_8.newDecoder().decode(in, java.nio.CharBuffer.allocate(bytes.length), true);
        int line = 1;
        for (int n = 0; n < in.position(); n++) {
            line += bytes[n] == '\n' ? 1 : 0;
        }
        return line;
    }

    private Optional<SourceText> refuse(String what) {
        faults.add(whole, what);
        return Optional.empty();
    }
}
