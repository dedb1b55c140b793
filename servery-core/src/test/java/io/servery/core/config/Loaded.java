package io.servery.core.config;

import io.servery.core.fault.FaultText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A configuration under test: its layers, then its outcome as values or as the text people see.
final class Loaded {
    private final Path directory;
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final List<Setting> settings = new ArrayList<>();
    private String text = "schema_version = 1\n";
    private boolean unsafe;

    private Loaded(Path directory) {
        this.directory = directory;
    }

    static Loaded in(Path directory) {
        return new Loaded(directory);
    }

    /// The file, after its `schema_version`, which stands on line 1.
    Loaded file(String rest) {
        text = "schema_version = 1\n" + rest;
        return this;
    }

    Loaded wholeFile(String whole) {
        text = whole;
        return this;
    }

    Loaded env(String name, String value) {
        environment.put(name, value);
        return this;
    }

    Loaded set(String key, String words) {
        settings.add(new Setting("--set", key, words));
        return this;
    }

    Loaded unsafeDevelopmentTls() {
        unsafe = true;
        return this;
    }

    ConfigurationInputs inputs() {
        environment.putIfAbsent("HOME", directory.toString());
        return new ConfigurationInputs(Optional.of(Path.of("servery.toml")), environment, settings, directory, unsafe);
    }

    Outcome outcome() {
        return Configuration.read(text.getBytes(StandardCharsets.UTF_8), inputs());
    }

    Outcome.Accepted accepted() {
        return switch (outcome()) {
            case Outcome.Accepted accepted -> accepted;
            case Outcome.Refused refused -> throw new AssertionError(new FaultText(false).of(refused.faults()));
        };
    }

    ServeryConfig config() {
        return accepted().config();
    }

    /// What is printed of the faults; empty when there are none.
    String errors() {
        return switch (outcome()) {
            case Outcome.Accepted _ -> "";
            case Outcome.Refused refused -> new FaultText(false).of(refused.faults());
        };
    }
}
