package io.servery.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.fault.Place;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What must hold of the table of keys itself.
class KeyTableTest {
    private static List<Key<?>> all() {
        List<Key<?>> all = new ArrayList<>();
        KeyTable.single().forEach(all::add);
        KeyTable.repeated().forEach(table -> all.addAll(KeyTable.element(table)));
        return all;
    }

    private static Optional<?> read(Key<?> key, String words) {
        Where where = new Where.Outside(new Place.Named("test"));
        Faults faults = new Faults();
        return BareWords.read(words, key.type(), BareWords.Syntax.TOML, where, faults)
                .flatMap(raw -> key.type().read(raw,
                        new Reading(key.path(), Path.of("/"), Map.of(), Profile.LOCAL, faults)));
    }

    @Test
    void everyTableOfTheContractIsThere() {
        assertThat(KeyTable.tables()).contains("runtime", "listener", "tls", "tls.manual", "tls.identity", "tls.acme",
                "resources", "resources.lanes.filesystem", "resources.lanes.compute", "resources.lanes.stream",
                "resources.lanes.application", "resources.rate", "logging", "metrics", "application",
                "application.static", "application.java", "application.wsgi", "application.asgi", "mount");
        assertThat(all()).hasSizeGreaterThan(140);
    }

    @Test
    void namesAreSnakeCaseAndUnique() {
        assertThat(all()).extracting(Key::path).doesNotHaveDuplicates()
                .allMatch(path -> path.matches("[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*"));
        assertThat(all()).extracting(key -> KeyTable.variable(key.path())).doesNotHaveDuplicates();
    }

    @Test
    void everyDefaultAndEveryInertValueIsOneThatItsTypeReads() {
        for (Key<?> key : all()) {
            for (Profile profile : Profile.values()) {
                String words = key.byDefault().of(profile);
                assertThat(words == null || read(key, DefaultWords.expand(words, Map.of())).isPresent())
                        .as("%s = %s", key.path(), words).isTrue();
            }
            key.inertWords().ifPresent(words -> assertThat(read(key, words)).as("%s = %s", key.path(), words)
                    .isPresent());
        }
    }

    @Test
    void everyKeyHasItsSentence() {
        assertThat(all()).extracting(Key::doc).allMatch(doc -> doc.endsWith(".") && doc.length() >= 8);
        assertThat(all()).extracting(key -> key.type().description()).noneMatch(String::isEmpty);
    }

    @Test
    void directoriesOfTheParentAndItsIdentityNeedARestart() {
        assertThat(all().stream().filter(key -> key.change() == Key.Change.RESTART).map(Key::path))
                .containsExactlyInAnyOrder("runtime.state_directory", "runtime.runtime_directory", "runtime.user",
                        "runtime.group");
    }
}
