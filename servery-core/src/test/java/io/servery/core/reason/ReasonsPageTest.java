package io.servery.core.reason;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/// The reference page has every reason, in its group and in order, and says what causes it.
class ReasonsPageTest {
    @Test
    void pageListsEveryReasonInItsGroup() throws IOException {
        List<String> listed = new ArrayList<>();
        String group = "";
        for (String line : Files.readAllLines(Path.of("..", "docs", "reference", "reasons.md"))) {
            if (line.startsWith("## ")) {
                group = line.substring(3);
            } else if (line.startsWith("| `")) {
                String[] cells = line.split("\\|", -1);
                assertThat(cells[2].strip()).as(line).isNotEmpty();
                listed.add(group + ": " + cells[1].strip().replace("`", ""));
            }
        }

        assertThat(listed).containsExactlyElementsOf(Arrays.stream(Reason.values())
                .map(reason -> groupName(reason.group()) + ": " + reason.code())
                .toList());
    }

    @Test
    void codesAreLowerCaseWordsAndUnique() {
        assertThat(Reason.values()).extracting(Reason::code).doesNotHaveDuplicates().allMatch(
                code -> code.matches("[a-z][a-z0-9_]*"));
    }

    private static String groupName(Reason.Group group) {
        return group.toString().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
