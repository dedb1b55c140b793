package io.servery.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// The committed reference page is the one that the key table makes.
class ReferencePageTest {
    private static final Path PAGE = Path.of("../docs/reference/configuration.md");

    @Test
    void committedPageIsTheGeneratedOne() throws IOException {
        String generated = ReferencePage.markdown();
        if ("write".equals(System.getProperty("servery.reference"))) {
            Files.createDirectories(PAGE.getParent());
            Files.writeString(PAGE, generated);
        }
        assertThat(PAGE).exists();
        assertThat(Files.readString(PAGE)).isEqualTo(generated);
    }
}
