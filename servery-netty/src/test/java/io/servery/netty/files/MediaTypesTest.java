package io.servery.netty.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which type the name of a file means (RFC 9110 §8.3): a table, held beside one with its sources.
@Isolated
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
            Map.entry("mid", "audio/midi is what players know"),
            Map.entry("rpm", "what package tools and servers say"),
            Map.entry("rss", "what every feed reader expects; neither is registered"),
            Map.entry("srt", "players tell it from plain text by its type"),
            Map.entry("tgz", "what it is outside"),
            Map.entry("ts", "streams of HLS are served far more than Qt's translations"),
            Map.entry("wav", "without x-, and known to browsers all the same"));

    /// Each row: the type, its extensions, and where that is said: by an RFC, by IANA's registry, or by nobody, with why.
    private static Map<String, String> expected() throws IOException {
        Map<String, String> types = new TreeMap<>();
        try (InputStream table = MediaTypesTest.class.getResourceAsStream("media-types-with-sources.txt")) {
            String text = new String(Objects.requireNonNull(table).readAllBytes(), StandardCharsets.UTF_8);
            for (String line : text.lines().filter(line -> !line.startsWith("#")).toList()) {
                String[] row = line.split(" \\| ", -1);
                assertThat(row).as(line).hasSize(3);
                assertThat(row[2]).as(line).matches("(RFC [0-9]{4}|IANA)(, .+)?|unregistered: .+");
                for (String extension : row[1].split(" ", -1)) {
                    assertThat(types.put(extension, row[0])).as(extension + " stands there once").isNull();
                }
            }
        }
        return types;
    }

    @Test
    void everyExtensionHasTheTypeThatItsSourceSaysAndNoOtherIsKnown() throws IOException {
        Map<String, String> known = new TreeMap<>(MediaTypes.byExtension());
        known.replaceAll((_, value) -> value.replace("; charset=utf-8", ""));
        assertThat(known).isEqualTo(expected());
    }

    @Test
    void everyExtensionDecidesInAnyNameAndCase() {
        MediaTypes.byExtension().forEach((extension, type) -> {
            for (String name : new String[]{"x." + extension, "a.b/x." + extension.toUpperCase(Locale.ROOT),
                    "x.min." + extension, "x.html." + extension, "." + extension, "dir.html/x y." + extension}) {
                assertThat(MediaTypes.of(name)).as(name).isEqualTo(type);
            }
        });
    }

    /// A dotless i is no i: the case of letters is that of no language.
    @Test
    void caseIsThatOfNoLanguage() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr"));
            assertThat(MediaTypes.of("PICTURE.GIF")).isEqualTo("image/gif");
        } finally {
            Locale.setDefault(before);
        }
        assertThat(MediaTypes.of("picture.g\u0131f")).isEqualTo("application/octet-stream");
    }

    /// RFC 6713: what is within is not said; a Content-Encoding would have it unpacked on the way.
    @ParameterizedTest
    @CsvSource({"site.tar.gz,application/gzip", "site.tgz,application/gzip", "site.tar.zst,application/zstd",
            "site.tar.xz,application/x-xz", "site.tar.bz2,application/x-bzip2", "site.tar,application/x-tar",
            "drawing.svg.gz,application/gzip", "page.html.bak,application/octet-stream",
            "page.html~,application/octet-stream", "page.html.,application/octet-stream"})
    void lastOfSeveralExtensionsDecides(String name, String type) {
        assertThat(MediaTypes.of(name)).isEqualTo(type);
    }

    @ParameterizedTest
    @ValueSource(strings = {"README", "a.html/README", "x.unknown", "x.", "", "dir.html/", "html", "x.ht ml",
            "x.html ", "x..", "x.html/.", "x.html%00", "x.\u017fvg"})
    void whatHasNoKnownExtensionIsBytes(String name) {
        assertThat(MediaTypes.of(name)).isEqualTo("application/octet-stream");
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
