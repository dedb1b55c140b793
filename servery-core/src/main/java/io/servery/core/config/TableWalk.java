package io.servery.core.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds the keys of the table in a document, and everything in the document that is none.
final class TableWalk {
    private final Layers layers;
    private final Faults faults;
    private final Path base;

    TableWalk(Layers layers, Faults faults, Path base) {
        this.layers = layers;
        this.faults = faults;
        this.base = base;
    }

    void walk(Raw.Table document) {
        walk(document, "", true);
    }

    private void walk(Raw.Table table, String prefix, boolean topLevel) {
        table.entries().forEach((name, entry) -> {
            String path = prefix + name;
            Optional<Key<?>> key = name.indexOf('.') < 0 ? KeyTable.single(path) : Optional.empty();
            if (key.isPresent()) {
                layers.provide(path, new Provided(entry.key(), entry.value(), base));
            } else if (KeyTable.isLater(path)) {
                faults.add(entry.key(), "`" + path + "` is not yet available");
            } else if (KeyTable.repeated().contains(path)) {
                elements(path, entry);
            } else if (KeyTable.isTable(path)) {
                table(path, entry);
            } else {
                unknown(path, entry, topLevel);
            }
        });
    }

    private void table(String path, Raw.Entry entry) {
        if (!(entry.value() instanceof Raw.Table table)) {
            faults.add(entry.value().where(), "`" + path + "`: found " + entry.value().found() + "; expected a table");
            return;
        }
        if (table.entries().isEmpty() && !hasAvailableKey(path)) {
            faults.add(entry.key(), "`" + path + "` is not yet available");
        }
        walk(table, path + ".", false);
    }

    private static boolean hasAvailableKey(String table) {
        for (Key<?> key : KeyTable.single()) {
            if (key.path().startsWith(table + ".") && (key.available() || key.inert() != null)) {
                return true;
            }
        }
        return false;
    }

    /// The elements of `[[path]]`, or of an array of inline tables.
    void elements(String path, Raw.Entry entry) {
        if (!(entry.value() instanceof Raw.Sequence(List<Raw> elements, _))) {
            faults.add(entry.value().where(), "`" + path + "`: found " + entry.value().found()
                    + "; expected an array of tables, `[[" + path + "]]`");
            return;
        }
        List<Map<String, Provided>> found = new ArrayList<>();
        for (Raw element : elements) {
            if (element instanceof Raw.Table table) {
                found.add(element(path, table));
            } else {
                faults.add(element.where(), "`" + path + "`: found " + element.found() + "; expected a table");
            }
        }
        if (elements.isEmpty()) {
            return;
        }
        layers.provide(path, found);
    }

    private Map<String, Provided> element(String path, Raw.Table table) {
        Map<String, Provided> provided = new LinkedHashMap<>();
        table.entries().forEach((name, entry) -> {
            String full = path + "." + name;
            if (KeyTable.inElement(full).isPresent() && name.indexOf('.') < 0) {
                provided.put(full, new Provided(entry.key(), entry.value(), base));
            } else {
                unknown(full, entry, false);
            }
        });
        return provided;
    }

    /// A table with a header is one unknown section; a table of dotted keys is as many unknown keys as it holds.
    private void unknown(String path, Raw.Entry entry, boolean topLevel) {
        switch (entry.value()) {
            case Raw.Table table when table.headed() -> section(path, entry.key());
            case Raw.Table table when !table.entries().isEmpty() -> table.entries()
                    .forEach((name, inner) -> unknown(path + "." + name, new Raw.Entry(entry.key(), inner.value()),
                            topLevel));
            case Raw.Sequence sequence when isTables(sequence) -> section(path, entry.key());
            case Raw.Scalar _,Raw.Sequence _,Raw.Table _ -> key(path, entry.key());
        }
    }

    private static boolean isTables(Raw.Sequence sequence) {
        return !sequence.elements().isEmpty() && sequence.elements().getFirst() instanceof Raw.Table table
                && table.headed();
    }

    private void section(String path, Where where) {
        report(where, "unknown section `" + Printable.shown(path) + "`",
                faults.full() ? Optional.empty() : Suggestion.nearest(path, KeyTable.tables()));
    }

    private void key(String path, Where where) {
        report(where, "unknown key `" + Printable.shown(path) + "`",
                faults.full() ? Optional.empty() : Suggestion.nearest(path, KeyTable.names()));
    }

    private void report(Where where, String what, Optional<String> suggestion) {
        if (suggestion.isPresent()) {
            faults.add(where, what, "did you mean `" + suggestion.get() + "`?");
        } else {
            faults.add(where, what);
        }
    }
}
