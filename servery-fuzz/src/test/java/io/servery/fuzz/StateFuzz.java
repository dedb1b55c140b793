package io.servery.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.servery.acme.store.Loaded;
import io.servery.acme.store.StateDirectory;
import io.servery.acme.store.StateRoot;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/// Any bytes as a file of the state directory: as they are, and with the checksum that they should have.
///
/// The first byte chooses the kind. What is read is whole or damaged; what is damaged says why, is kept aside, and is gone.
class StateFuzz {
    private static final URI AUTHORITY = URI.create("https://ca.example/dir");
    private static final List<String> KINDS = List.of("account", "certificate", "order", "history");

    @TempDir
    private static Path folder;
    private static StateRoot root;
    private static StateDirectory state;

    @BeforeAll
    static void open() throws IOException {
        root = StateRoot.open(folder);
        state = root.of(AUTHORITY, Optional.empty(), List.of("a.example"));
    }

    @AfterAll
    static void close() throws IOException {
        root.close();
    }

    @FuzzTest
    void file(byte[] bytes) throws Exception {
        if (bytes.length == 0) {
            return;
        }
        String kind = KINDS.get((bytes[0] & 0xff) % KINDS.size());
        byte[] content = Arrays.copyOfRange(bytes, 1, bytes.length);
        judge(kind, content);
        judge(kind, sealed(kind, content));
    }

    private static void judge(String kind, byte[] content) throws IOException {
        Path file = path(kind);
        write(file, content);
        Loaded<?> loaded = switch (kind) {
            case "account" -> state.account();
            case "certificate" -> state.certificate();
            case "order" -> state.order();
            default -> state.history();
        };
        if (loaded instanceof Loaded.Damaged<?>(Path keptAs, String why)) {
            Invariant.holds(why.contains("found") && why.contains("expected"), () -> why);
            Invariant.holds(!Files.exists(file) && Arrays.equals(Files.readAllBytes(keptAs), content),
                    () -> "not aside");
        } else {
            Invariant.holds(loaded.whole().isPresent(), () -> "neither whole nor damaged");
        }
    }

    private static Path path(String kind) throws IOException {
        String directory = kind.equals("account") ? "account-" : "a.example-";
        try (Stream<Path> all = Files.list(folder.resolve("acme"))) {
            return all.filter(one -> one.getFileName().toString().startsWith(directory)).findFirst().orElseThrow()
                    .resolve(kind);
        }
    }

    private static void write(Path file, byte[] content) throws IOException {
        try (SeekableByteChannel out = Files.newByteChannel(file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            out.write(ByteBuffer.wrap(content));
        }
    }

    private static byte[] sealed(String kind, byte[] content) throws Exception {
        String digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        byte[] head = ("servery-acme 1 " + kind + " " + digest + "\n").getBytes(StandardCharsets.US_ASCII);
        byte[] sealed = Arrays.copyOf(head, head.length + content.length);
        System.arraycopy(content, 0, sealed, head.length, content.length);
        return sealed;
    }
}
