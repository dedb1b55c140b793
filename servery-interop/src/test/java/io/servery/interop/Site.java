package io.servery.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HexFormat;

/// The site that the tests have served: the same bytes and times at every run.
///
/// @param root the folder that is served
public record Site(Path root) {
    /// When every file was modified last, `Tue, 02 Jan 2024 03:04:05 GMT`.
    public static final Instant MODIFIED = Instant.parse("2024-01-02T03:04:05Z");
    public static final int BIG_BYTES = 1024 * 1024;

    /// Generates the site of the corpus (its README lists it) below an empty folder.
    public static Site generate(Path root) {
        var site = new Site(root);
        site.put("index.html", "<!doctype html><title>Front</title><p>front\n");
        site.put("hello.txt", "hello\n");
        site.put("digits.txt", "0123456789");
        site.put("empty.txt", "");
        site.put("1k.txt", pattern(1024, 1));
        site.put("big.bin", pattern(BIG_BYTES, 7));
        site.put("a..b.txt", "dots\n");
        site.put("a+b.txt", "plus\n");
        site.put("~tilde.txt", "tilde\n");
        site.put("with space.txt", "space\n");
        site.put("caf\u00e9.txt", "coffee\n");
        site.put("100%.txt", "percent\n");
        site.put("dir/one.txt", "one\n");
        site.put("dir/<script>alert(1)<script>.txt", "script\n");
        site.put("dir/.hidden", "never\n");
        site.put("dir/.well-known/x", "never\n");
        site.put("indexed/index.html", "<!doctype html><title>Indexed</title><p>indexed\n");
        site.put(".hidden", "never\n");
        site.put(".git/config", "never\n");
        site.put(".well-known/x", "known\n");
        site.put(".well-known/.hidden", "never\n");
        return site;
    }

    /// Writes a file, with its folders, and sets its time of modification to {@link #MODIFIED}.
    public void put(String name, String content) {
        put(name, content.getBytes(StandardCharsets.UTF_8));
    }

    public void put(String name, byte[] content) {
        try {
            Path file = path(name);
            Files.createDirectories(file.getParent());
            Files.write(file, content);
            Files.setLastModifiedTime(file, FileTime.from(MODIFIED));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Path path(String name) {
        return root.resolve(name);
    }

    /// Bytes that tell their own place: no two 16-byte stretches of one pattern are alike, and no two patterns share one.
    public static byte[] pattern(int length, int kind) {
        byte[] bytes = new byte[length];
        HexFormat hex = HexFormat.of();
        for (int i = 0; i < length; i += 16) {
            String place = hex.toHexDigits((byte) kind) + ":" + hex.toHexDigits(i) + " pad\n.";
            byte[] stretch = place.getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(stretch, 0, bytes, i, Math.min(16, length - i));
        }
        return bytes;
    }
}
