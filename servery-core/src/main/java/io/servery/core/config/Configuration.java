package io.servery.core.config;

import io.servery.core.fault.Place;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// From text to a [ServeryConfig], or to every fault at once.
///
///     built-in defaults  <  profile  <  servery.toml  <  environment  <  command line
///
/// Nothing is written, bound or started. What is read: the file, secrets, and whether directories exist.
public final class Configuration {
    private static final String WITHOUT_FILE = "servery";
    private static final Pattern RUNTIME_DIRECTORY_LINE = Pattern
            .compile("(?m)^\\s*(?:runtime\\.)?runtime_directory\\s*=\\s*[\"']([^\"'\\\\\\p{Cntrl}]+)[\"']");

    private final ConfigurationInputs inputs;
    private final Faults faults = new Faults();
    private final Layers layers = new Layers();
    private final String name;
    private final Path base;
    private boolean understood = true;

    private Configuration(ConfigurationInputs inputs) {
        this.inputs = inputs;
        this.name = inputs.file().map(file -> Printable.whole(file.toString())).orElse(WITHOUT_FILE);
        this.base = inputs.file().map(file -> directory(inputs.workingDirectory().resolve(file)))
                .orElse(inputs.workingDirectory());
    }

    /// Reads the file that the inputs name, if any, and judges the whole.
    public static Outcome load(ConfigurationInputs inputs) {
        Configuration configuration = new Configuration(inputs);
        inputs.file().ifPresent(file -> configuration.file(
                configuration.source().read(inputs.workingDirectory().resolve(file))));
        return configuration.judge();
    }

    /// Judges these bytes as if the file that the inputs name had held them.
    public static Outcome read(byte[] bytes, ConfigurationInputs inputs) {
        Configuration configuration = new Configuration(inputs);
        configuration.file(configuration.source().decode(bytes));
        return configuration.judge();
    }

    /// Where the configuration says that its sockets are, as far as it can be read, whatever else is wrong with it; empty
    /// where it does not say. Of a text that is no TOML a line that sets the key is believed: whoever uses the directory looks
    /// at whose it is.
    public static Optional<Path> runtimeDirectory(ConfigurationInputs inputs) {
        Configuration configuration = new Configuration(inputs);
        Optional<SourceText> text = inputs.file()
                .flatMap(file -> configuration.source().read(inputs.workingDirectory().resolve(file)));
        configuration.file(text);
        configuration.outside();
        Optional<Path> said = configuration.reader(configuration.profile()).one(RuntimeKeys.RUNTIME_DIRECTORY,
                configuration.layers);
        return configuration.understood ? said : said.or(() -> text.flatMap(configuration::lineOfRuntimeDirectory));
    }

    private Optional<Path> lineOfRuntimeDirectory(SourceText text) {
        Matcher line = RUNTIME_DIRECTORY_LINE.matcher(text.text());
        return line.find() ? Optional.of(base.resolve(line.group(1)).normalize()) : Optional.empty();
    }

    /// The names of the keys that may be set, for completion.
    public static List<String> keys() {
        return KeyTable.names().stream()
                .filter(name -> KeyTable.single(name)
                        .filter(key -> key.available() && !key.equals(KeyTable.SCHEMA_VERSION))
                        .isPresent())
                .toList();
    }

    private static Path directory(Path file) {
        Path parent = file.toAbsolutePath().normalize().getParent();
        return parent == null ? file.toAbsolutePath() : parent;
    }

    private ConfigurationFile source() {
        return new ConfigurationFile(name, faults);
    }

    private void file(Optional<SourceText> source) {
        Optional<Raw.Table> read = source.flatMap(text -> TomlDocument.read(text, faults));
        understood = read.isPresent();
        read.ifPresent(document -> {
            if (!document.entries().containsKey(KeyTable.SCHEMA_VERSION.path())) {
                faults.add(document.where(), "`schema_version` is missing",
                        "begin the file with `schema_version = 1`");
            }
            new TableWalk(layers, faults, base).walk(document);
        });
    }

    private Outcome judge() {
        outside();
        Profile profile = profile();
        ValueReader reader = reader(profile);
        Values values = reader.single(layers);
        Repeated repeated = new Repeated(reader.elements(KeyTable.MOUNT, layers),
                reader.elements(KeyTable.IDENTITY, layers));
        if (understood) {
            rules(profile, values, repeated);
        }
        return faults.count() > 0
                ? new Outcome.Refused(faults.sorted(name))
                : new Outcome.Accepted(new Binder(values).bind(profile, repeated),
                        new Effective(name, profile, values, repeated));
    }

    private void outside() {
        OutsideLayer outside = new OutsideLayer(layers, faults, inputs.workingDirectory());
        outside.environment(inputs.environment());
        outside.settings(inputs.settings());
    }

    private ValueReader reader(Profile profile) {
        return new ValueReader(profile, base, inputs.environment(), faults);
    }

    /// Not asked of half a configuration: what the file would have said is unknown when it is no TOML.
    private void rules(Profile profile, Values values, Repeated repeated) {
        Where fallback = values.where(KeyTable.PROFILE).orElse(new Where.Outside(new Place.Named(name)));
        new Rules(values, repeated.mounts(), fallback, faults).check();
        new TlsRules(values, repeated.identities(), fallback, faults).check();
        if (profile == Profile.PRODUCTION) {
            new ProductionRules(values, fallback, faults).check(inputs.unsafeDevelopmentTls());
        }
    }

    /// The profile decides the defaults, so it is read before everything else; its faults are found with all others.
    private Profile profile() {
        Optional<Provided> provided = layers.of(KeyTable.PROFILE.path());
        return provided.flatMap(said -> KeyTable.PROFILE.type().read(said.raw(), new Reading(KeyTable.PROFILE.path(),
                said.base(), inputs.environment(), Profile.LOCAL, new Faults()))).orElse(Profile.LOCAL);
    }
}
