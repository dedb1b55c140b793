package io.servery.core.config;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A secret by reference: `{ file = "…" }` or `{ env = "…" }`. The value itself is never written in a configuration.
record SecretType() implements ValueType<Secret> {
    static final Set<String> MEMBERS = Set.of("file", "env");
    private static final int BYTES_MAX = 64 * 1024;
    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE);

    @Override
    public Optional<Secret> read(Raw raw, Reading reading) {
        if (!(raw instanceof Raw.Table(Map<String, Raw.Entry> entries, _, _)) || entries.size() != 1) {
            return reading.refuse(raw, raw instanceof Raw.Table ? "another table" : "a value itself", description(),
                    "a secret is named, never written here");
        }
        Raw.Entry entry = entries.values().iterator().next();
        String kind = entries.keySet().iterator().next();
        if (!MEMBERS.contains(kind) || !(entry.value() instanceof Raw.Scalar(String name, _)) || name.isEmpty()) {
            return reading.refuse(raw, "another table", description());
        }
        return kind.equals("env") ? fromEnvironment(name, raw, reading) : fromFile(name, raw, reading);
    }

    private static Optional<Secret> fromEnvironment(String name, Raw raw, Reading reading) {
        @Nullable
        String value = reading.environment().get(name);
        if (value == null || value.isEmpty()) {
            return reading.refuse(raw, "no value in the environment variable " + Printable.shown(name), "one");
        }
        return Optional.of(new Secret(value, new Secret.Reference.InEnvironment(name)));
    }

    private static Optional<Secret> fromFile(String name, Raw raw, Reading reading) {
        try {
            Path path = reading.base().resolve(name).normalize();
            if (!Files.exists(path)) {
                throw new NoSuchFileException(name);
            }
            if (!Files.isRegularFile(path)) {
                return reading.refuse(raw, "no regular file at " + Printable.shown(path.toString()), "one");
            }
            return checked(path, raw, reading);
        } catch (NoSuchFileException | InvalidPathException _) {
            return reading.refuse(raw, "no file " + Printable.shown(name), "a file with the secret");
        } catch (CharacterCodingException _) {
            return reading.refuse(raw, "bytes that are not UTF-8 in " + Printable.shown(name), "a line of text");
        } catch (IOException e) {
            return reading.refuse(raw, "a file that cannot be read (" + Printable.cause(e) + ")",
                    "a file with the secret");
        }
    }

    private static Optional<Secret> checked(Path path, Raw raw, Reading reading) throws IOException {
        if (reading.profile() == Profile.PRODUCTION && isOpen(path)) {
            return reading.refuse(raw, "a secret file that group or others may read", "one that only its owner may",
                    "chmod 600 " + Printable.shown(path.toString()));
        }
        if (Files.size(path) > BYTES_MAX) {
            return reading.refuse(raw, "a secret of more than " + BYTES_MAX + " bytes", "a line of text");
        }
        String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(Files.readAllBytes(path))).toString();
        String value = withoutTrailingNewline(text);
        return value.isEmpty()
                ? reading.refuse(raw, "an empty secret file", "a file with the secret")
                : Optional.of(new Secret(value, new Secret.Reference.InFile(path.toString())));
    }

    private static boolean isOpen(Path path) throws IOException {
        try {
            return Files.getPosixFilePermissions(path).stream().anyMatch(OTHERS::contains);
        } catch (UnsupportedOperationException _) {
            return true;
        }
    }

    private static String withoutTrailingNewline(String text) {
        if (text.endsWith("\r\n")) {
            return text.substring(0, text.length() - 2);
        }
        return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    }

    @Override
    public String write(Secret value) {
        return switch (value.reference()) {
            case Secret.Reference.InFile file -> "{ file = " + Words.quote(file.path()) + " }";
            case Secret.Reference.InEnvironment variable -> "{ env = " + Words.quote(variable.name()) + " }";
        };
    }

    @Override
    public String description() {
        return "`{ file = \"…\" }` or `{ env = \"…\" }`";
    }

    @Override
    public Bare bare() {
        return Bare.WORD_OR_STRUCTURE;
    }

    @Override
    public boolean isSecret() {
        return true;
    }
}
