package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// The corpus itself: complete, readable, in order. Needs no server.
class CorpusFormatTest {
    private static final int CASES_MIN = 280;
    /// The groups of the README.
    private static final Set<Integer> SECTIONS = Set.of(200, 300, 320, 322, 500, 520, 600, 610, 620, 630, 700, 711, 712,
            800,
            930, 932, 1720, 1780, 1900, 2010, 2300, 2400, 3100, 3200, 3300);

    @Test
    void everyCaseHasAnExpectationThatNamesItsSection() {
        assertThat(CorpusCase.all()).hasSizeGreaterThanOrEqualTo(CASES_MIN)
                .allSatisfy(each -> assertThat(each.expectation().section()).as(each.name()).matches(
                        "RFC 9112 §[0-9C.]+|RFC 9110 §[0-9.]+|RFC 3986 §[0-9.]+|RFC 10008|threat model: .+|reference: .+"));
    }

    @Test
    void everyRequestIsReadable() {
        assertThat(CorpusCase.all())
                .allSatisfy(each -> assertThat(each.pieces(name -> "\"value\"")).as(each.name()).isNotNull());
    }

    @Test
    void everyFileBelongsToAPair() throws IOException {
        try (var files = Files.list(CorpusCase.FOLDER)) {
            var endings = new TreeMap<String, List<String>>();
            files.map(file -> file.getFileName().toString()).filter(name -> !name.equals("README.md")).sorted()
                    .forEach(name -> {
                        int dot = name.lastIndexOf('.');
                        endings.merge(name.substring(0, dot), List.of(name.substring(dot)),
                                (a, b) -> List.of(a.getFirst(), b.getFirst()));
                    });
            assertThat(endings).allSatisfy((name, pair) -> {
                assertThat(name).matches("[0-9]{4}-[0-9]{2}-[a-z0-9-]+");
                assertThat(pair).as(name).containsExactly(".expect", ".http");
            });
        }
    }

    @Test
    void numbersFollowTheSectionsOfTheSpecifications() {
        assertThat(CorpusCase.all()).allSatisfy(each -> {
            int number = Integer.parseInt(each.name().substring(0, 4));
            assertThat(SECTIONS).as(each.name()).contains(number);
            if (each.expectation().section().equals("threat model: paths")) {
                assertThat(number).as(each.name()).isEqualTo(3100);
            }
        });
    }

    @Test
    void everyStatusHasItsCase() {
        var seen = CorpusCase.all().stream().flatMap(each -> each.expectation().answers().stream())
                .flatMap(answer -> answer.statuses().stream()).distinct().toList();
        assertThat(seen).contains(200, 206, 301, 304, 400, 404, 405, 412, 413, 414, 416, 417, 431, 501, 505);
    }
}
