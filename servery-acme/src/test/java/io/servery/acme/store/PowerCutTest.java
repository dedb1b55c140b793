package io.servery.acme.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.acme.renewal.History;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Whenever the power goes, a file is the old one or the new one.
class PowerCutTest {
    private static final Path DIRECTORY = Path.of("state");
    private static final History OLD = History.none();
    private static final History NEW = new History(1, Optional.of(Instant.EPOCH), Optional.empty(), Optional.empty());

    @Test
    void recordIsOldOrNewAtEveryMomentAndNewAtTheEnd() throws Exception {
        PowerCutDisk disk = new PowerCutDisk();
        RecordFile<History> file = new RecordFile<>(DIRECTORY, "history", new HistoryCodec());
        file.write(disk, OLD);
        int before = disk.cuts().size();
        file.write(disk, NEW);

        List<Map<Path, List<Optional<byte[]>>>> cuts = disk.cuts().subList(before - 1, disk.cuts().size());
        assertThat(cuts).hasSizeGreaterThan(4);
        for (Map<Path, List<Optional<byte[]>>> cut : cuts) {
            assertThat(read(cut.get(file.path()))).isNotEmpty().isSubsetOf(OLD, NEW);
        }
        assertThat(read(cuts.getFirst().get(file.path()))).containsOnly(OLD);
        assertThat(read(cuts.getLast().get(file.path()))).containsOnly(NEW);
    }

    /// That the model would notice.
    @Test
    void withoutASyncOfTheContentTheModelFindsAFileThatIsNeither() {
        PowerCutDisk disk = new PowerCutDisk();
        Path file = DIRECTORY.resolve("history");
        disk.create(DIRECTORY.resolve("history.new"), new byte[]{1, 2});
        disk.rename(DIRECTORY.resolve("history.new"), file);
        disk.syncDirectory(DIRECTORY);
        assertThat(disk.cuts().getLast().get(file)).anySatisfy(content -> assertThat(content).hasValueSatisfying(
                bytes -> assertThat(bytes).isEmpty()));
    }

    private static List<History> read(List<Optional<byte[]>> contents) throws IOException, DamageException {
        List<History> found = new ArrayList<>();
        for (Optional<byte[]> content : contents) {
            found.add(new HistoryCodec().decode(Envelope.open("history", content.orElseThrow())));
        }
        return found;
    }
}
