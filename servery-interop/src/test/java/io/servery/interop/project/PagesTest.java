package io.servery.interop.project;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.fault.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The pages for people: their links, and what they must say.
class PagesTest {
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:|#)([^)#\\s]+)(?:#[^)]*)?\\)");
    private static final Pattern SITE_LINK = Pattern.compile("(?:href|src)=\"(/[^\"]*)\"");

    @Test
    void everyLinkBetweenPagesLeadsSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : SourceTree.files(".md")) {
            for (Matcher link = LINK.matcher(Files.readString(page)); link.find();) {
                if (!Files.exists(page.resolveSibling(link.group(1)))) {
                    broken.add(SourceTree.nameOf(page) + " -> " + link.group(1));
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void readmeHasTheTwoCommands() throws IOException {
        assertThat(SourceTree.text("README.md").lines()).contains("    mvn -q -DskipTests package && java -jar "
                + "servery-netty/target/servery-netty.jar --config examples/site/servery.toml", "    mvn verify");
    }

    @Test
    void operatorsPageHasEveryExitCode() throws IOException {
        String page = SourceTree.text("docs/operating.md");
        assertThat(ExitCode.values()).allSatisfy(code -> assertThat(page).contains("\n| " + code.code() + " | "));
    }

    @Test
    void everyDecisionStandsInTheirIndex() throws IOException {
        String index = SourceTree.text("docs/adr/README.md");
        List<Path> decisions = SourceTree.files(".md").stream()
                .filter(page -> SourceTree.nameOf(page).matches("docs/adr/\\d{4}-.*")).toList();
        assertThat(decisions).isNotEmpty().allSatisfy(page -> {
            assertThat(index).contains("(" + page.getFileName() + ")");
            assertThat(Files.readString(page)).contains("**Context.**", "**Decision.**", "**Cost.**");
        });
    }

    @Test
    void exampleSiteHasNoBrokenLinkButTheOneThatShowsTheMissingPage() throws IOException {
        Path site = SourceTree.file("examples/site/public");
        List<String> broken = new ArrayList<>();
        for (Path page : SourceTree.files(".html")) {
            for (Matcher link = SITE_LINK.matcher(Files.readString(page)); link.find();) {
                Path target = site.resolve(link.group(1).substring(1));
                boolean generated = target.startsWith(site.resolve("downloads"));
                if (!generated && !Files.isRegularFile(target) && !Files.isRegularFile(target.resolve("index.html"))) {
                    broken.add(link.group(1));
                }
            }
        }
        assertThat(broken).containsExactly("/no-such-page");
    }
}
