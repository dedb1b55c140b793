package io.servery.netty.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MediaTypesTest {
    /// Debian's table, of the package media-types, where this machine has it.
    private static final Path DEBIAN = Path.of("/etc/mime.types");

    /// Where ours differs from Debian's on purpose, and why.
    private static final Map<String, String> DELIBERATE = Map.ofEntries(
            Map.entry("asc", "signatures and sums are read on the page, not handed to a program"),
            Map.entry("dmg", "saved, whatever is in it"),
            Map.entry("exe", "saved, whatever is in it"),
            Map.entry("iso", "saved, whatever is in it"),
            Map.entry("msi", "saved, whatever is in it"),
            Map.entry("m3u", "registered without x-"),
            Map.entry("mid", "audio/midi is what players know"),
            Map.entry("rpm", "what package tools and servers say"),
            Map.entry("rss", "what every feed reader expects; neither is registered"),
            Map.entry("srt", "players tell it from plain text by its type"),
            Map.entry("tgz", "what it is outside"),
            Map.entry("ts", "streams of HLS are served far more than Qt's translations"),
            Map.entry("wav", "the registered name"));

    @Test
    void extensionDecidesWhateverItsCase() {
        assertThat(MediaTypes.of("page.html")).isEqualTo("text/html; charset=utf-8");
        assertThat(MediaTypes.of("a.b/PAGE.HTML")).isEqualTo("text/html; charset=utf-8");
        assertThat(MediaTypes.of("app.min.js")).isEqualTo("text/javascript; charset=utf-8");
        assertThat(MediaTypes.of("app.mjs")).isEqualTo("text/javascript; charset=utf-8");
        assertThat(MediaTypes.of("data.json")).isEqualTo("application/json");
        assertThat(MediaTypes.of("image.svg")).isEqualTo("image/svg+xml");
        assertThat(MediaTypes.of("module.wasm")).isEqualTo("application/wasm");
        assertThat(MediaTypes.of("archive.tar.gz")).isEqualTo("application/gzip");
    }

    @Test
    void whatHasNoKnownExtensionIsBytes() {
        for (String name : new String[]{"README", "a.html/README", "x.unknown", "x.", "", "dir.html/"}) {
            assertThat(MediaTypes.of(name)).as(name).isEqualTo("application/octet-stream");
        }
    }

    @Test
    void textTypesSayTheirCharsetAndOthersDoNot() {
        assertThat(MediaTypes.byExtension().values()).allSatisfy(type -> assertThat(type.endsWith("; charset=utf-8"))
                .isEqualTo(type.startsWith("text/")));
    }

    @Test
    void extensionsAreInLowerCase() {
        assertThat(MediaTypes.byExtension().keySet()).allMatch(extension -> extension.matches("[0-9a-z]+"));
    }

    @Test
    void tableAgreesWithDebiansButWhereItDiffersOnPurpose() throws IOException {
        assumeThat(DEBIAN).isRegularFile();
        Map<String, Set<String>> debian = debian();
        Map<String, String> differing = new TreeMap<>();
        MediaTypes.byExtension().forEach((extension, value) -> {
            String type = value.replace("; charset=utf-8", "");
            if (debian.containsKey(extension) && !debian.get(extension).contains(type)) {
                differing.put(extension, type + ", Debian: " + debian.get(extension));
            }
        });
        differing.keySet().removeAll(DELIBERATE.keySet());
        assertThat(differing).isEmpty();
    }

    private static Map<String, Set<String>> debian() throws IOException {
        Map<String, Set<String>> types = new HashMap<>();
        for (String line : Files.readAllLines(DEBIAN, StandardCharsets.UTF_8)) {
            String[] words = line.replaceFirst("#.*", "").strip().split("\\s+", -1);
            for (int i = 1; i < words.length; i++) {
                types.computeIfAbsent(words[i], extension -> new HashSet<>()).add(words[0]);
            }
        }
        return types;
    }
}
