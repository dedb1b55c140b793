package io.servery.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.servery.core.fault.Place;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/// What holds for every configuration on its way to a worker.
class WorkerConfigurationPropertyTest {
    private static final Path DIRECTORY = Path.of("").toAbsolutePath();

    @Property(tries = 500)
    void workerReadsTheValuesThatTheParentHas(@ForAll("settings") List<Setting> settings) {
        Optional<Outcome.Accepted> accepted = accepted(settings);
        Assume.that(accepted.isPresent());
        reads(accepted.orElseThrow());
    }

    /// Which a default gives, and few of the settings above.
    @Example
    void workerIsNotToldOfTheParentsPorts() {
        Outcome.Accepted accepted = accepted(List.of(new Setting("--set", "profile", "production"),
                new Setting("--set", "tls.mode", "self-signed"))).orElseThrow();

        assertThat(accepted.config().listener().redirectPort()).hasValue(80);
        reads(accepted);
    }

    private static void reads(Outcome.Accepted accepted) {
        ServeryConfig config = accepted.config();
        Listener listener = config.listener();

        WorkerConfiguration read = WorkerConfiguration.read(accepted.effective().workerText());

        assertThat(read.config()).isEqualTo(new ServeryConfig(config.profile(), config.runtime(),
                new Listener(listener.endpoint(), OptionalInt.empty(), listener.http1(), listener.backlog()),
                config.tls(), config.resources(), config.logging(), new Metrics.Off(), config.application(),
                config.mounts()));
    }

    @Property(tries = 300)
    void everyChangeIsAppliedOrRefusedAsItIsJudged(@ForAll("settings") List<Setting> before,
            @ForAll("hot settings") List<Setting> more) {
        List<Setting> both = new ArrayList<>(before);
        both.addAll(more);
        Optional<Outcome.Accepted> first = accepted(before);
        Optional<Outcome.Accepted> second = accepted(both);
        Assume.that(first.isPresent() && second.isPresent());

        Effective old = first.orElseThrow().effective();
        WorkerConfiguration wanted = WorkerConfiguration.read(second.orElseThrow().effective().workerText());
        switch (ConfigurationChange.between(old, second.orElseThrow().effective())) {
            case ConfigurationChange.None() ->
                assertThat(WorkerConfiguration.read(old.workerText()).config()).isEqualTo(wanted.config());
            case ConfigurationChange.Hot hot ->
                assertThat(WorkerConfiguration.read(old.workerText()).with(hot.settings()).config())
                        .isEqualTo(wanted.config());
            case ConfigurationChange.Generation _,ConfigurationChange.Restart _ ->
                throw new AssertionError("hot keys alone: " + more);
        }
    }

    @Property(tries = 1_000)
    void textOfAnybodyIsRefusedInWords(@ForAll String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> WorkerConfiguration.read(text))
                .withMessageStartingWith("worker configuration: line ");
    }

    @Property(tries = 1_000)
    void valueThatIsReadIsTheOneThatTomlSays(@ForAll("values") String text) {
        Where where = new Where.Outside(new Place.Named("test"));
        PlainToml.read(text, where).ifPresent(plain -> assertThat(TomlDocument.fragment(text, where, new Faults()))
                .hasValueSatisfying(toml -> assertThat(values(toml)).isEqualTo(values(plain))));
    }

    private static Object values(Raw raw) {
        return switch (raw) {
            case Raw.Scalar(Object value, _) -> value;
            case Raw.Sequence(List<Raw> elements, _) ->
                elements.stream().map(WorkerConfigurationPropertyTest::values).toList();
            case Raw.Table(Map<String, Raw.Entry> entries, _, _) ->
                entries.entrySet().stream().map(one -> Map.entry(one.getKey(), values(one.getValue().value())))
                        .toList();
        };
    }

    private static Optional<Outcome.Accepted> accepted(List<Setting> settings) {
        Loaded loaded = Loaded.in(DIRECTORY).unsafeDevelopmentTls();
        settings.forEach(setting -> loaded.set(setting.key(), setting.words()));
        return loaded.outcome() instanceof Outcome.Accepted accepted ? Optional.of(accepted) : Optional.empty();
    }

    @Provide
    Arbitrary<List<Setting>> settings() {
        return some(keys().stream().filter(Key::isForWorkers).toList());
    }

    @Provide("hot settings")
    Arbitrary<List<Setting>> hotSettings() {
        return some(keys().stream().filter(Key::isPushed).toList());
    }

    private static List<Key<?>> keys() {
        List<Key<?>> keys = new ArrayList<>();
        KeyTable.single().forEach(keys::add);
        keys.remove(KeyTable.SCHEMA_VERSION);
        return keys;
    }

    private static Arbitrary<List<Setting>> some(List<Key<?>> keys) {
        return Arbitraries.of(keys).flatMap(WorkerConfigurationPropertyTest::setting).list().ofMaxSize(6);
    }

    private static Arbitrary<Setting> setting(Key<?> key) {
        return words(key).map(words -> new Setting("--set", key.path(), words));
    }

    private static Arbitrary<String> words(Key<?> key) {
        ValueType<?> type = key.type();
        if (type.bounds().isPresent()) {
            ValueType.Bounds bounds = type.bounds().orElseThrow();
            return Arbitraries.longs().between(bounds.min(), bounds.max())
                    .map(value -> type instanceof Numbers.Time ? value + "ms" : Long.toString(value));
        }
        return switch (type) {
            case Words.Truth _ -> Arbitraries.of("true", "false");
            case Numbers.Share _ -> Arbitraries.doubles().between(0, 1).ofScale(6)
                    .map(share -> String.format(java.util.Locale.ROOT, "%.6f", share));
            case Words.OneOf<?> choice -> Arbitraries.of(choice.type().getEnumConstants()).map(Choice::word);
            case Words.FilePath _ -> key.name().equals("root")
                    ? Arbitraries.just(DIRECTORY.toString())
                    : Arbitraries.strings().withChars("ab /.\"\\ü\t\u202e").ofMinLength(1).ofMaxLength(20);
            default -> Arbitraries.of(examples(key));
        };
    }

    private static List<String> examples(Key<?> key) {
        return switch (key.name()) {
            case "host" -> List.of("127.0.0.1", "[\"::1\", \"localhost\"]");
            case "index" -> List.of("[]", "[\"a\", \"b ] , \\u00e9\"]");
            case "immutable" -> List.of("[]", "[\"**/*.{js,css}\", \"\\\\\\\\x\"]");
            case "headers" -> List.of("{}", "{ \"X-A\" = \"\\\" } ,\", b = '' }");
            case "error_pages" -> List.of("{}", "{ 404 = \"pom.xml\", \"500\" = \"pom.xml\" }");
            default -> List.of("web", "a \"b\" \\\\ c");
        };
    }

    @Provide
    Arbitrary<String> values() {
        Arbitrary<String> leaf = Arbitraries.of("1", "-0", "01", "1_0", "0.5", "1.0E-4", "1e3", "true", "false", "\"\"",
                "\"a\\n\\t\\\\\\\"\"", "\"\\u00e9\\U0001F600\"", "\"\\q\"", "\"\\ud800\"", "9223372036854775808", "x",
                "[]", "{}", "'a'");
        Arbitrary<String> array = leaf.list().ofMaxSize(3).map(list -> "[" + String.join(", ", list) + "]");
        Arbitrary<String> table = Combinators
                .combine(Arbitraries.of("\"a\"", "\"b c\"", "\"\\u00e9\"", "d"), leaf, array)
                .as((name, one, two) -> "{ " + name + " = " + one + ", \"z\" = " + two + " }");
        return Arbitraries.oneOf(leaf, array, table, Combinators.combine(leaf, leaf).as((a, b) -> a + b));
    }
}
