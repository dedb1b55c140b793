package io.servery.core.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Makes values of what the layers say, and of the defaults where they say nothing.
final class ValueReader {
    private final Profile profile;
    private final Path base;
    private final Map<String, String> environment;
    private final Faults faults;

    /// @param base what the relative path of a default is relative to
    ValueReader(Profile profile, Path base, Map<String, String> environment, Faults faults) {
        this.profile = profile;
        this.base = base;
        this.environment = environment;
        this.faults = faults;
    }

    Values single(Layers layers) {
        Values values = new Values();
        for (Key<?> key : KeyTable.single()) {
            layers.replaced(key.path()).forEach(said -> replaced(key, said));
            values.put(key, value(key, layers.of(key.path())));
        }
        return values;
    }

    /// One value, whatever the others are.
    <T> Optional<T> one(Key<T> key, Layers layers) {
        Values values = new Values();
        values.put(key, value(key, layers.of(key.path())));
        return values.find(key);
    }

    /// A secret that does not hold may be missing.
    private void replaced(Key<?> key, Provided said) {
        if (!key.type().isSecret()) {
            value(key, Optional.of(said));
        }
    }

    List<Values> elements(String table, Layers layers) {
        List<Values> elements = new ArrayList<>();
        for (Map<String, Provided> provided : layers.elements(table)) {
            Values values = new Values();
            for (Key<?> key : KeyTable.element(table)) {
                values.put(key, value(key, Optional.ofNullable(provided.get(key.path()))));
            }
            elements.add(values);
        }
        return elements;
    }

    private Values.Value value(Key<?> key, Optional<Provided> provided) {
        if (provided.isEmpty()) {
            return Values.Value.byDefault(key.available() ? byDefault(key) : Optional.empty());
        }
        Provided said = provided.get();
        if (!key.available()) {
            return inert(key, said);
        }
        Optional<?> read = key.type().read(said.raw(),
                new Reading(key.path(), said.base(), environment, profile, faults));
        Optional<?> value = read.isPresent() ? read : byDefault(key);
        return new Values.Value(value.map(Object.class::cast), Optional.of(said.key()), Optional.of(said.raw().where()),
                read.isPresent());
    }

    /// A key whose feature comes later may say what happens today anyway, and nothing else.
    private Values.Value inert(Key<?> key, Provided said) {
        Reading silent = new Reading(key.path(), said.base(), environment, Profile.LOCAL, new Faults());
        Optional<?> read = key.type().isSecret() ? Optional.empty() : key.type().read(said.raw(), silent);
        Optional<?> today = key.inertWords().flatMap(words -> words(key, words));
        boolean harmless = read.isPresent() && read.equals(today);
        if (!harmless) {
            String what = "`" + key.path() + "` is not yet available";
            key.inertWords().ifPresentOrElse(words -> faults.add(said.key(), what, "so far only `" + words + "` is"),
                    () -> faults.add(said.key(), what));
        }
        return new Values.Value(Optional.empty(), Optional.of(said.key()), Optional.of(said.raw().where()), harmless);
    }

    private Optional<?> byDefault(Key<?> key) {
        @Nullable
        String words = key.byDefault().of(profile);
        return words == null ? Optional.empty() : words(key, DefaultWords.expand(words, environment));
    }

    /// Words of the key table: that they can be read is a test of the table.
    private Optional<?> words(Key<?> key, String words) {
        Where nowhere = new Where.Outside(new io.servery.core.fault.Place.Named("default"));
        Faults unexpected = new Faults();
        Optional<?> value = BareWords.read(words, key.type(), BareWords.Syntax.TOML, nowhere, unexpected)
                .flatMap(raw -> key.type().read(raw, new Reading(key.path(), base, environment, profile, unexpected)));
        if (value.isEmpty()) {
            throw new IllegalStateException("key table: " + key.path() + ": " + unexpected.first());
        }
        return value;
    }
}
