package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Chromium without a window, with a profile of its own for each page.
///
/// @param program where it is
/// @param folder for what it writes
public record Browser(Path program, Path folder) {
    private static final int TIMEOUT_SECONDS = 120;

    /// A page as the browser made it.
    ///
    /// @param dom the document after its scripts have run
    /// @param console what was said meanwhile, the browser's own troubles included
    public record Page(String dom, String console) {
        /// The lines of the page's own console: of scripts, of refused policies, of what did not load.
        List<String> said() {
            return console.lines().filter(line -> line.contains(":CONSOLE")).toList();
        }
    }

    /// The one that is installed; where none is, the test is skipped.
    public static Browser in(Path folder) {
        return new Browser(Installed.anyOf("chromium", "chromium-browser", "google-chrome"), folder);
    }

    /// Opens a page, to its end.
    ///
    /// @param flags beside those that keep the browser to itself
    public Page open(String url, String... flags) throws IOException, InterruptedException {
        Path own = Files.createTempDirectory(folder, "browser");
        Path dom = own.resolve("dom.html");
        Path console = own.resolve("console.txt");
        List<String> command = new ArrayList<>(List.of(program.toString(), "--headless", "--no-sandbox",
                "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
                "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--enable-logging=stderr",
                "--user-data-dir=" + own.resolve("profile"), "--dump-dom"));
        command.addAll(List.of(flags));
        command.add(url);
        Process process = new ProcessBuilder(command).redirectOutput(dom.toFile()).redirectError(console.toFile())
                .start();
        try {
            assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).as("the browser ends").isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Page(Files.readString(dom), Files.readString(console));
    }
}
