package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Locale;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How a listing looks in a browser, in the light scheme and in the dark one. With `-Dservery.screenshots` the pictures of
/// docs/listings.md are those of this run.
class ListingLookTest {
    private static final String FILES = """
            archive/1.3.0/x 0 2025-03-01T12:00
            nightly/x 0 2026-11-02T09:14
            plugins/x 0 2026-10-12T08:30
            benchmarks.csv 2950 2026-08-14T11:41
            CHANGELOG.md 18432 2026-11-21T10:02
            checksums 214 2025-03-01T12:00
            demo.webm 15938355 2026-09-03T15:20
            podcast.mp3 1887436 2026-08-14T11:41
            release-notes.pdf 20480 2026-11-20T17:40
            screenshot.png 99021 2026-09-03T15:20
            servery-1.4.0.jar 5242880 2026-11-20T17:45
            servery-1.4.0.jar.sha256 45 2026-11-20T17:45
            servery-1.4.0.tar.gz 734208 2026-11-20T17:45
            servery.toml 1290 2026-11-02T09:14
            """;
    /// Surefire runs a module's tests in the module's directory.
    private static final Path PICTURES = Path.of("..", "docs", "images");

    @TempDir
    static Path folder;
    private static ServeryProcess server;

    @BeforeAll
    static void start() throws IOException {
        var site = new Site(folder.resolve("site"));
        for (String line : FILES.lines().toList()) {
            String[] words = line.split(" ", -1);
            site.put("releases/" + words[0], new byte[Integer.parseInt(words[1])]);
            int slash = words[0].indexOf('/');
            Path listed = site.path("releases/" + (slash < 0 ? words[0] : words[0].substring(0, slash)));
            Files.setLastModifiedTime(listed, FileTime.from(Instant.parse(words[2] + ":00Z")));
        }
        server = ServeryProcess.start(ServeryProcess.Settings.of(folder, site.root()));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /// What readers prefer, by the number that the browser has for it (Media Queries Level 5, prefers-color-scheme).
    private enum Scheme {
        DARK,
        LIGHT
    }

    /// A listing as somebody sees it.
    private record Look(Browser.Page page, BufferedImage picture) {
        /// Of most pixels, as red, green and blue.
        int background() {
            return picture.getRGB(2, 2) & 0xffffff;
        }

        /// How light the lightest and the darkest pixel are, from 0 to 255.
        int[] lightness() {
            return IntStream.range(0, picture.getWidth() * picture.getHeight())
                    .map(at -> lightness(picture.getRGB(at % picture.getWidth(), at / picture.getWidth()))).sorted()
                    .toArray();
        }

        /// Y of ITU-R BT.709.
        static int lightness(int rgb) {
            return (int) Math.round(0.2126 * (rgb >> 16 & 255) + 0.7152 * (rgb >> 8 & 255) + 0.0722 * (rgb & 255));
        }
    }

    private static Look look(Scheme scheme, String query, int width, int height) throws Exception {
        String name = "listing-" + scheme.name().toLowerCase(Locale.ROOT) + ".png";
        Path file = folder.resolve(name);
        Browser.Page page = Browser.in(folder).open("http://127.0.0.1:" + server.port() + "/releases/" + query,
                "--blink-settings=preferredColorScheme=" + scheme.ordinal(), "--window-size=" + width + "," + height,
                "--screenshot=" + file);
        if (System.getProperty("servery.screenshots") != null) {
            Files.copy(file, PICTURES.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
        return new Look(page, ImageIO.read(file.toFile()));
    }

    private static void assertQuiet(Look look) {
        assertThat(look.page().dom()).contains("<title>Index of /releases/</title>", "servery-1.4.0.jar")
                .doesNotContain("<script", "javascript:").doesNotContainPattern(" on[a-z]+=");
        assertThat(look.page().said()).as("of the console").isEmpty();
    }

    @Test
    void listingFollowsTheSchemeOfTheReaderWithoutScriptOrComplaint() throws Exception {
        Look light = look(Scheme.LIGHT, "", 1000, 784);
        Look dark = look(Scheme.DARK, "?sort=size&order=desc", 360, 850);
        assertQuiet(light);
        assertQuiet(dark);
        assertThat(light.page().dom()).as("one document for both").contains("prefers-color-scheme");
        assertThat(Look.lightness(light.background())).as("a light page").isGreaterThan(240);
        assertThat(Look.lightness(dark.background())).as("a dark page").isLessThan(40);
        assertThat(light.lightness()[0]).as("dark text on it").isLessThan(60);
        int[] lightness = dark.lightness();
        assertThat(lightness[lightness.length - 1]).as("light text on it").isGreaterThan(200);
    }
}
