package io.servery.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.http.semantics.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// The refusal table and its manual page are one: the committed page is the one that the table makes.
class RefusalReferenceTest {
    private static final Path PAGE = Path.of("../docs/reference/refusals.md");

    private static final String INTRODUCTION = """
            # Refusals

            <!-- Generated from the refusal table:
            `mvn -q test -pl servery-http -am -Dtest=RefusalReferenceTest -Dsurefire.failIfNoSpecifiedTests=false -Dservery.reference=write`
            writes it. -->

            Every way in which a request is refused. The answer is a short text that never repeats what was sent; in the
            local profile `Servery-Reason` holds the [reason](reasons.md). 429 and 503 carry `Retry-After`. After *close* nothing
            more is read as a request: the output is shut, what still comes is read and dropped for a moment, then the
            connection is closed, so that the answer arrives.

            | status | reason | what was wrong | connection | rule |
            | --- | --- | --- | --- | --- |
            """;

    @Test
    void committedPageIsTheGeneratedOne() throws IOException {
        StringBuilder page = new StringBuilder(INTRODUCTION);
        for (Refusal row : Refusal.values()) {
            page.append("| ").append(row.status()).append(' ').append(Status.phrase(row.status())).append(" | `")
                    .append(row.reason().code()).append("` | ").append(row.detail()).append(" | ")
                    .append(row.fate() == Refusal.Fate.CLOSE ? "close" : "keep").append(" | ").append(row.rule())
                    .append(" |\n");
        }
        if ("write".equals(System.getProperty("servery.reference"))) {
            Files.writeString(PAGE, page);
        }
        assertThat(Files.readString(PAGE)).isEqualTo(page.toString());
    }

    @Test
    void everyRowHasAStatusWithItsPhraseAndSaysWhatWasWrongInOurWords() {
        for (Refusal row : Refusal.values()) {
            assertThat(row.status()).as(row.name()).isBetween(400, 599);
            assertThat(Status.phrase(row.status())).as(row.name()).isNotEmpty();
            assertThat(row.detail()).as(row.name()).matches("[\\x20-\\x7e]{8,80}");
            assertThat(row.rule()).as(row.name()).matches("RFC \\d{4} §[\\d.]+");
        }
    }

    /// RFC 9112 §9.6, §2.2: where the end of a message is in doubt, what follows is never read as a request.
    @Test
    void whatLeavesTheEndOfTheMessageInDoubtClosesTheConnection() {
        for (Refusal row : Refusal.values()) {
            switch (row.reason().group()) {
                case MALFORMED, DEADLINE -> assertThat(row.fate()).as(row.name()).isEqualTo(Refusal.Fate.CLOSE);
                case ADMISSION, REQUEST, STORAGE, FAULT, FORCED_DRAIN, WORKER, RELOAD, ACME -> {
                }
            }
        }
    }
}
