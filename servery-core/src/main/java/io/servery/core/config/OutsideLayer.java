package io.servery.core.config;

import io.servery.core.fault.Place;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The two layers outside of the file: the environment and the command line.
final class OutsideLayer {
    private final Layers layers;
    private final Faults faults;
    private final Path workingDirectory;

    OutsideLayer(Layers layers, Faults faults, Path workingDirectory) {
        this.layers = layers;
        this.faults = faults;
        this.workingDirectory = workingDirectory;
    }

    /// What somebody set, whatever the layer calls it.
    private record Assignment(String path, String words, Where where, BareWords.Syntax syntax) {
    }

    void environment(Map<String, String> environment) {
        new TreeMap<>(environment).forEach((name, words) -> {
            if (name.startsWith(KeyTable.ENVIRONMENT_PREFIX)) {
                variable(name, words);
            }
        });
    }

    private void variable(String name, String words) {
        Where where = new Where.Outside(new Place.Variable(Printable.shown(name)));
        String path = name.substring(KeyTable.ENVIRONMENT_PREFIX.length()).toLowerCase(Locale.ROOT).replace("__", ".");
        boolean exact = KeyTable.variable(path).equals(name);
        if (!exact || !assign(new Assignment(path, words, where, BareWords.Syntax.JSON))) {
            report(where, "unknown name",
                    Suggestion.nearest(path, KeyTable.names()).filter(OutsideLayer::isSettable)
                            .map(KeyTable::variable));
        }
    }

    void settings(List<Setting> settings) {
        for (Setting setting : settings) {
            Where where = new Where.Outside(setting.place());
            if (!assign(new Assignment(setting.key(), setting.words(), where, BareWords.Syntax.TOML))) {
                report(where, "unknown key `" + Printable.shown(setting.key()) + "`",
                        Suggestion.nearest(setting.key(), KeyTable.names()).filter(OutsideLayer::isSettable));
            }
        }
    }

    /// A suggestion must be something that this layer takes.
    private static boolean isSettable(String path) {
        return KeyTable.single(path).isPresent() && !path.equals(KeyTable.SCHEMA_VERSION.path());
    }

    private void report(Where where, String what, Optional<String> suggestion) {
        if (suggestion.isPresent()) {
            faults.add(where, what, "did you mean `" + suggestion.get() + "`?");
        } else {
            faults.add(where, what);
        }
    }

    /// Whether there is such a key.
    private boolean assign(Assignment assignment) {
        Optional<Key<?>> key = KeyTable.single(assignment.path).filter(found -> isSettable(found.path()));
        if (key.isPresent()) {
            BareWords.read(assignment.words, key.get().type(), assignment.syntax, assignment.where, faults)
                    .ifPresent(raw -> provide(assignment.path, raw, assignment.where));
            return true;
        }
        return secretMember(assignment) || repeated(assignment) || later(assignment);
    }

    /// `metrics.token.file`: the one member of the reference to a secret.
    private boolean secretMember(Assignment assignment) {
        int dot = assignment.path.lastIndexOf('.');
        if (dot < 0 || !SecretType.MEMBERS.contains(assignment.path.substring(dot + 1))) {
            return false;
        }
        Optional<Key<?>> key = KeyTable.single(assignment.path.substring(0, dot)).filter(k -> k.type().isSecret());
        key.ifPresent(found -> {
            Raw.Entry entry = new Raw.Entry(assignment.where, new Raw.Scalar(assignment.words, assignment.where));
            Raw table = new Raw.Table(Map.of(assignment.path.substring(dot + 1), entry), assignment.where, false);
            provide(found.path(), table, assignment.where);
        });
        return key.isPresent();
    }

    private boolean repeated(Assignment assignment) {
        if (!KeyTable.repeated().contains(assignment.path)) {
            return false;
        }
        BareWords.structure(assignment.words, false, assignment.syntax, assignment.where, faults)
                .ifPresent(raw -> new TableWalk(layers, faults, workingDirectory).elements(assignment.path,
                        new Raw.Entry(assignment.where, raw)));
        return true;
    }

    private boolean later(Assignment assignment) {
        if (!KeyTable.isLater(assignment.path)) {
            return false;
        }
        faults.add(assignment.where, "`" + Printable.shown(assignment.path) + "` is not yet available");
        return true;
    }

    private void provide(String path, Raw raw, Where where) {
        layers.provide(path, new Provided(where, raw, workingDirectory));
    }
}
