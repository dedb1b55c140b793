package io.servery.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.electronwill.nightconfig.core.UnmodifiableConfig;
import com.electronwill.nightconfig.toml.TomlParser;
import io.servery.core.fault.Fault;
import io.servery.core.fault.FaultText;
import io.servery.core.fault.Place;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/// What holds for every key, every value and every text. jqwik prints the seed of a failure.
class ConfigurationPropertyTest {
    private static final Path DIRECTORY = Path.of("").toAbsolutePath();

    private static Loaded loaded() {
        return Loaded.in(DIRECTORY);
    }

    // Bounds

    @Provide
    Arbitrary<Key<?>> boundedKeys() {
        List<Key<?>> keys = new ArrayList<>();
        KeyTable.single().forEach(key -> {
            if (key.available() && key.type().bounds().isPresent() && !key.equals(KeyTable.SCHEMA_VERSION)) {
                keys.add(key);
            }
        });
        return Arbitraries.of(keys);
    }

    private static String written(Key<?> key, long value) {
        return key.type() instanceof Numbers.Time ? "\"" + value + "ms\"" : Long.toString(value);
    }

    private static String errorsOf(Key<?> key, String value) {
        return loaded().file(key.path() + " = " + value + "\n").errors();
    }

    @Property(tries = 300)
    void everyKeyAcceptsItsBoundsAndRefusesWhatIsBeyond(@ForAll("boundedKeys") Key<?> key) {
        ValueType.Bounds bounds = key.type().bounds().orElseThrow();
        String refusal = "`" + key.path() + "`: found";
        assertThat(errorsOf(key, written(key, bounds.max() + 1))).contains(refusal);
        for (long value : new long[]{bounds.min(), bounds.max()}) {
            assertThat(errorsOf(key, written(key, value)))
                    .doesNotContain(refusal + " " + written(key, value) + "; expected " + key.type().description());
        }
        if (bounds.min() > 0) {
            assertThat(errorsOf(key, written(key, bounds.min() - 1))).contains(refusal);
        } else {
            assertThat(errorsOf(key, "-1")).contains(refusal);
        }
    }

    @Property(tries = 500)
    void everyValueWithinBoundsSurvivesWritingAndReading(@ForAll("boundedKeys") Key<?> key, @ForAll double share) {
        ValueType.Bounds bounds = key.type().bounds().orElseThrow();
        double part = Double.isFinite(share) ? Math.abs(share) % 1.0 : 0.5;
        long value = bounds.min() + (long) ((bounds.max() - bounds.min()) * part);
        roundTrip(key, new Raw.Scalar(key.type() instanceof Numbers.Time ? (Object) (value + "ms") : value, nowhere()));
    }

    private static <T> void roundTrip(Key<T> key, Raw raw) {
        Faults faults = new Faults();
        Reading reading = new Reading(key.path(), DIRECTORY, Map.of(), Profile.LOCAL, faults);
        T first = key.type().read(raw, reading).orElseThrow();
        Raw again = TomlDocument.fragment(key.type().write(first), nowhere(), faults).orElseThrow();
        assertThat(key.type().read(again, reading)).contains(first);
    }

    private static Where nowhere() {
        return new Where.Outside(new Place.Named("test"));
    }

    // Words

    @Property
    void everyStringSurvivesWritingAndReading(@ForAll String text) {
        if (text.codePoints().noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
            assertThat(TomlDocument.fragment(Words.quote(text), nowhere(), new Faults()))
                    .containsInstanceOf(Raw.Scalar.class).map(raw -> ((Raw.Scalar) raw).value()).contains(text);
        }
    }

    @Property(tries = 200)
    void headersAndIndexSurviveTheEffectiveConfiguration(@ForAll("fields") Map<String, String> headers,
            @ForAll("names") Set<String> index) {
        Loaded loaded = loaded().set("application.static.headers", ApplicationKeys.STATIC.headers.type().write(headers))
                .set("application.static.index", ApplicationKeys.STATIC.index.type().write(List.copyOf(index)));
        ServeryConfig first = loaded.config();
        assertThat(((StaticFiles) first.application()).headers()).isEqualTo(headers);
        assertThat(loaded().wholeFile(loaded.accepted().effective().text()).config()).isEqualTo(first);
    }

    @Provide
    Arbitrary<Map<String, String>> fields() {
        Arbitrary<String> values = Arbitraries.strings().withCharRange('!', '~').ofMaxLength(20);
        return Arbitraries
                .maps(Arbitraries.strings().withCharRange('a', 'z').withChars("-.!'").ofMinLength(1).ofMaxLength(40)
                        .map(name -> "x-" + name), values)
                .ofMaxSize(5);
    }

    @Provide
    Arbitrary<Set<String>> names() {
        return Arbitraries.strings().ascii().excludeChars('/', '\\', '\u007f')
                .filter(name -> !name.isEmpty() && name.chars().allMatch(c -> c >= ' ') && !name.matches("\\.\\.?"))
                .set().ofMaxSize(4);
    }

    // Suggestions

    @Property
    void suggestionNeverThrows(@ForAll String name) {
        assertThat(Suggestion.nearest(name, KeyTable.names())).satisfies(found -> found
                .ifPresent(key -> assertThat(KeyTable.names()).contains(key)));
        assertThat(Sensitive.isSensitive(name)).isIn(true, false);
    }

    @Property
    void oneTypingErrorInAKeyIsAlwaysSuggestedAway(@ForAll("names of keys") String name, @ForAll int at,
            @ForAll("letters") char letter) {
        int where = Math.floorMod(at, name.length());
        String wrong = name.substring(0, where) + letter + name.substring(where + 1);
        Optional<String> suggestion = Suggestion.nearest(wrong, KeyTable.names());
        assertThat(suggestion).hasValueSatisfying(key -> assertThat(Suggestion.distance(wrong, key)).isLessThan(2));
    }

    @Provide("names of keys")
    Arbitrary<String> namesOfKeys() {
        return Arbitraries.of(KeyTable.names());
    }

    @Provide
    Arbitrary<Character> letters() {
        return Arbitraries.chars().range('a', 'z');
    }

    @Property
    void distanceIsSymmetricAndZeroForEqualsAlone(@ForAll("names of keys") String left,
            @ForAll("names of keys") String right) {
        assertThat(Suggestion.distance(left, right)).isEqualTo(Suggestion.distance(right, left));
        assertThat(Suggestion.distance(left, right) == 0).isEqualTo(left.equals(right));
    }

    // The index and the parser

    @Property(tries = 2_000)
    void indexAgreesWithTheParserOnRandomDocuments(@ForAll("documents") String text) {
        TomlIndex index = new TomlIndex(text);
        index.read();
        if (index.refusals().isEmpty()) {
            UnmodifiableConfig parsed = new TomlParser().parse(text + "\n");
            assertThat(names(index.root(), "")).isEqualTo(namesIn(parsed, ""));
        }
    }

    @Property(tries = 1_000)
    void everyTextIsJudgedWithoutAThrow(@ForAll("mangled") String text) {
        Outcome outcome = Configuration.read(text.getBytes(StandardCharsets.UTF_8), loaded().inputs());
        if (outcome instanceof Outcome.Refused refused) {
            assertThat(refused.faults()).isNotEmpty().isSortedAccordingTo(Fault.BY_PLACE);
            assertThat(new FaultText(false).of(refused.faults())).matches("[\\P{Cntrl}\\n]*");
        }
    }

    @Property(tries = 300)
    void everyByteIsJudgedWithoutAThrow(@ForAll byte[] bytes) {
        assertThat(Configuration.read(bytes, loaded().inputs())).isInstanceOf(Outcome.Refused.class);
    }

    @Property(tries = 200)
    void everyWordOfTheOutsideIsJudgedWithoutAThrow(@ForAll("any key") Key<?> key, @ForAll String words,
            @ForAll("fragments") String fragment) {
        for (String value : List.of(words, fragment, "[" + words, "{" + fragment, "[\"" + fragment + "\"]")) {
            assertThat(loaded().set(key.path(), value).outcome()).isNotNull();
            if (value.indexOf('\0') < 0) {
                assertThat(loaded().env(KeyTable.variable(key.path()), value).outcome()).isNotNull();
            }
        }
    }

    @Provide("any key")
    Arbitrary<Key<?>> anyKey() {
        List<Key<?>> keys = new ArrayList<>();
        KeyTable.single().forEach(keys::add);
        return Arbitraries.of(keys);
    }

    private static Set<String> names(TomlNode node, String prefix) {
        Set<String> names = new LinkedHashSet<>();
        node.members.forEach((name, member) -> {
            names.add(prefix + name);
            names.addAll(names(member, prefix + name + "/"));
        });
        for (int n = 0; n < node.elements.size(); n++) {
            names.addAll(names(node.elements.get(n), prefix + n + "/"));
        }
        return names;
    }

    private static Set<String> namesIn(Object value, String prefix) {
        Set<String> names = new LinkedHashSet<>();
        if (value instanceof UnmodifiableConfig table) {
            table.entrySet().forEach(entry -> {
                names.add(prefix + entry.getKey());
                names.addAll(namesIn(entry.getRawValue(), prefix + entry.getKey() + "/"));
            });
        } else if (value instanceof List<?> list) {
            for (int n = 0; n < list.size(); n++) {
                names.addAll(namesIn(list.get(n), prefix + n + "/"));
            }
        }
        return names;
    }

    @Provide
    Arbitrary<String> documents() {
        Arbitrary<String> segment = Arbitraries.of("a", "b", "c", "\"a\"", "'b.c'", "d-1", "\"\\u0061\"");
        Arbitrary<String> key = segment.list().ofMinSize(1).ofMaxSize(3).map(segments -> String.join(".", segments));
        Arbitrary<String> value = Arbitraries.of("1", "-0", "0x1f", "1_000", "1.5", "1e3", "true", "\"x\"", "'y'", "''",
                "\"\"\"\nz\"\"\"", "'''w'''", "[]", "[1, 2]", "[ [1], [] ]", "{}", "{ a = 1 }", "{ a.b = 1, c = {} }",
                "[{ a = 1 }, { b = 2 }]", "[\n 1, # c\n 2,\n]", "1979-05-27", "07:32:00", "\"\\u00e9\\n\"");
        Arbitrary<String> line = Arbitraries.oneOf(Combinators.combine(key, value).as((k, v) -> k + " = " + v),
                key.map(k -> "[" + k + "]"), key.map(k -> "[[" + k + "]]"), Arbitraries.of("", "# c", "  "));
        return line.list().ofMaxSize(8).map(lines -> String.join("\n", lines));
    }

    @Provide
    Arbitrary<String> mangled() {
        Arbitrary<String> part = Arbitraries.oneOf(fragments(), Arbitraries.of(KeyTable.names()),
                Arbitraries.of(KeyTable.tables()).map(table -> "\n[" + table + "]\n"), documents());
        return part.list().ofMaxSize(12).map(parts -> "schema_version = 1\n" + String.join("", parts));
    }

    @Provide
    Arbitrary<String> fragments() {
        return Arbitraries.of(" = ", "\n", "\r", "\t", "\"", "'", "\"\"\"", "'''", "[", "]", "[[", "]]", "{", "}", ",",
                ".", "#", "\\", "\\u00", "0x", "1", "1e", "true", "\"30s\"", "\"64KiB\"", "\uD83D\uDE00", "\u0000",
                "\u202e", "file", "env", "token = \"s\"", "99999999999999999999");
    }
}
