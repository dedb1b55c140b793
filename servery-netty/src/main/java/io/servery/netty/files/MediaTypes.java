package io.servery.netty.files;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// The media type of a file by the extension of its name (RFC 9110 §8.3), from the table `media-types.txt`.
///
/// Nothing is guessed from content, and `nosniff` asks clients not to. Text types say UTF-8.
final class MediaTypes {
    /// What a name without a known extension is: bytes to be saved, never to be rendered.
    static final String UNKNOWN = "application/octet-stream";

    private static final Set<String> COMPRESSIBLE = Set.of("application/json", "application/wasm", "application/xml",
            "application/yaml", "application/toml", "application/sql", "application/rtf", "application/x-subrip",
            "application/vnd.apple.mpegurl", "application/vnd.ms-fontobject", "font/collection", "font/otf", "font/ttf",
            "image/bmp", "image/vnd.microsoft.icon", "model/obj", "model/stl", "model/mtl");

    private static final String TABLE = "media-types.txt";
    private static final Map<String, String> BY_EXTENSION = table();

    private MediaTypes() {
    }

    /// The value of Content-Type for a file of this path or name.
    static String of(String path) {
        int dot = path.lastIndexOf('.');
        if (dot <= path.lastIndexOf('/')) {
            return UNKNOWN;
        }
        return BY_EXTENSION.getOrDefault(path.substring(dot + 1).toLowerCase(Locale.ROOT), UNKNOWN);
    }

    /// Whether files of this path are worth compressing: text in any form, and what is stored without compression.
    static boolean compressible(String path) {
        String type = of(path);
        return type.startsWith("text/") || type.endsWith("+xml") || type.endsWith("+json")
                || COMPRESSIBLE.contains(type);
    }

    /// Whether a compressed form of a file of this path makes sense: not of images, sound and archives that are compressed
    /// as they are; of bytes of an unknown kind it may.
    static boolean mayLieCompressed(String path) {
        return compressible(path) || of(path).equals(UNKNOWN);
    }

    /// The whole table, from the extension in lower case to the value of Content-Type.
    static Map<String, String> byExtension() {
        return BY_EXTENSION;
    }

    private static Map<String, String> table() {
        Map<String, String> types = new HashMap<>();
        try (InputStream stream = MediaTypes.class.getResourceAsStream(TABLE)) {
            if (stream == null) {
                throw new IllegalStateException(TABLE + ": missing beside " + MediaTypes.class.getName());
            }
            BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                add(types, line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Map.copyOf(types);
    }

    private static void add(Map<String, String> types, String line) {
        String[] words = line.strip().split("\\s+", -1);
        if (words[0].isEmpty() || words[0].startsWith("#")) {
            return;
        }
        String value = words[0].startsWith("text/") ? words[0] + "; charset=utf-8" : words[0];
        for (int i = 1; i < words.length; i++) {
            if (types.put(words[i], value) != null) {
                throw new IllegalStateException(TABLE + ": extension " + words[i] + ": found twice; expected once");
            }
        }
    }
}
