package io.servery.core.metric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The reference page and the enumerations say the same.
class MetricsPageTest {
    private final List<String> page;

    MetricsPageTest() throws IOException {
        page = Files.readAllLines(Path.of("..", "docs", "reference", "metrics.md"));
    }

    @Test
    void tableOfNamesIsTheEnumerationInItsOrder() {
        List<List<String>> rows = rows("## Names").stream().map(row -> row.subList(0, 3)).toList();

        assertThat(rows).containsExactlyElementsOf(Arrays.stream(MetricName.values())
                .map(metric -> List.of("`" + metric.exposedName() + "`",
                        metric.type().toString().toLowerCase(Locale.ROOT),
                        String.join(", ", metric.labels())))
                .toList());
    }

    @Test
    void listedLabelValuesAreTheEnumerations() {
        Map<String, String> listed = rows("## Label values").stream()
                .collect(Collectors.toMap(List::getFirst, List::getLast));

        assertThat(listed).containsEntry("transport", words(Transport.values()))
                .containsEntry("method_class", words(MethodClass.values()))
                .containsEntry("work_class", words(WorkClass.values()))
                .containsEntry("queue", words(QueueName.values()))
                .containsEntry("phase", words(Phase.values()))
                .containsEntry("cache", words(CacheName.values()))
                .containsEntry("result", words(CacheResult.values()))
                .containsEntry("sink", words(LogSink.values()))
                .containsEntry("version", words(HandshakeVersion.values()))
                .containsEntry("resumed", words(Resumed.values()))
                .containsEntry("state", words(WorkerState.values()))
                .containsEntry("role", words(ProcessRole.values()));
        assertThat(page).anyMatch(line -> line.endsWith("words of its own: " + words(LogDropReason.values()) + "."));
        assertThat(page).anyMatch(line -> line.endsWith("words of its own: " + words(ReloadResult.values()) + "."));
        assertThat(page).anyMatch(line -> line.endsWith("words of its own: " + words(HandshakeResult.values()) + "."));
    }

    @Test
    void nameThatComesLaterIsNotThereYet() {
        List<String> existing = Arrays.stream(MetricName.values()).map(MetricName::exposedName).toList();

        assertThat(rows("## What comes later")).isNotEmpty().allSatisfy(row -> {
            assertThat(row.getFirst()).matches("`servery_[a-z_]+`");
            assertThat(existing).doesNotContain(row.getFirst().replace("`", ""));
        });
    }

    /// The cells of the table under a heading, without its head.
    private List<List<String>> rows(String heading) {
        return page.stream()
                .dropWhile(line -> !line.equals(heading))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("| "))
                .skip(2)
                .map(line -> Arrays.stream(line.substring(1, line.length() - 1).split("\\|")).map(String::strip)
                        .toList())
                .toList();
    }

    private static String words(MetricLabel... labels) {
        return Arrays.stream(labels).map(MetricLabel::label).collect(Collectors.joining(" "));
    }
}
