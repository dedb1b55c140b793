package io.servery.core.config;

import com.electronwill.nightconfig.core.UnmodifiableConfig;
import com.electronwill.nightconfig.core.io.ParsingException;
import com.electronwill.nightconfig.toml.TomlParser;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A TOML text as values with places: night-config reads the values, [TomlIndex] the places.
final class TomlDocument {
    private static final String NOT_SHOWN = "a syntax error in a value that is not shown";

    private final SourceText source;
    private final Faults faults;
    private final Function<Span, Where> places;

    private TomlDocument(SourceText source, Faults faults, Function<Span, Where> places) {
        this.source = source;
        this.faults = faults;
        this.places = places;
    }

    /// The document, or empty when the text is not valid TOML; the faults say why.
    static Optional<Raw.Table> read(SourceText source, Faults faults) {
        return new TomlDocument(source, faults, span -> new Where.InText(source, span)).read();
    }

    /// A value in TOML syntax that stands outside of a file.
    static Optional<Raw> fragment(String text, Where where, Faults faults) {
        SourceText source = new SourceText("", "value = " + text);
        return new TomlDocument(source, faults, _ -> where).read().flatMap(table -> {
            Raw.Entry entry = table.entries().get("value");
            if (entry == null || table.entries().size() != 1) {
                faults.add(where, "more follows the value");
                return Optional.empty();
            }
            return Optional.of(entry.value());
        });
    }

    private Optional<Raw.Table> read() {
        TomlIndex index = new TomlIndex(source.text());
        index.read();
        redact(index.root());
        if (!index.refusals().isEmpty()) {
            refuse(index);
            return Optional.empty();
        }
        int before = faults.count();
        Optional<Raw.Table> table = values(index.root());
        return faults.count() == before ? table : Optional.empty();
    }

    private void refuse(TomlIndex index) {
        boolean sensitive = index.lastNames().stream().anyMatch(Sensitive::isSensitive);
        if (sensitive) {
            source.withholdExcerpts();
        }
        for (TomlRefusal refusal : index.refusals()) {
            faults.add(places.apply(refusal.span()), sensitive ? NOT_SHOWN : refusal.what());
        }
    }

    private void redact(TomlNode node) {
        node.members.forEach((name, member) -> {
            if (Sensitive.isSensitive(name)) {
                redactSecret(member);
            } else {
                redact(member);
            }
        });
        node.elements.forEach(this::redact);
    }

    /// Where a table refers to the secret, the reference may be shown.
    private void redactSecret(TomlNode node) {
        if (!node.isTable()) {
            source.redact(node.value);
        }
        node.members.forEach((name, member) -> {
            if (!SecretType.MEMBERS.contains(name)) {
                redactSecret(member);
            }
        });
        node.elements.forEach(this::redactSecret);
    }

    private Optional<Raw.Table> values(TomlNode root) {
        try {
            // The parser does not read a header that ends with the text.
            return Optional.of(table(root, new TomlParser().parse(new StringReader(source.text() + "\n"))));
        } catch (ParsingException _) {
            faults.add(places.apply(root.value),
                    "the TOML parser cannot read this file");
            return Optional.empty();
        }
    }

    private Raw.Table table(TomlNode node, UnmodifiableConfig values) {
        Map<String, Raw.Entry> entries = new LinkedHashMap<>();
        node.members.forEach((name, member) -> entries.put(name,
                new Raw.Entry(places.apply(member.key), value(member, values.getRaw(List.of(name))))));
        boolean headed = node.kind == TomlNode.Kind.HEADED || node.kind == TomlNode.Kind.IMPLICIT;
        return new Raw.Table(entries, places.apply(node.value), headed);
    }

    private Raw value(TomlNode node, @Nullable Object value) {
        Where where = places.apply(node.value);
        return switch (value) {
            case UnmodifiableConfig config when node.isTable() -> table(node, config);
            case List<?> list when list.size() == node.elements.size() -> sequence(node, list, where);
            case Integer number -> new Raw.Scalar((long) number, where);
            case null -> disagreement(where);
            default -> node.kind == TomlNode.Kind.SCALAR ? new Raw.Scalar(value, where) : disagreement(where);
        };
    }

    private Raw sequence(TomlNode node, List<?> list, Where where) {
        List<Raw> elements = new ArrayList<>();
        for (int n = 0; n < list.size(); n++) {
            elements.add(value(node.elements.get(n), list.get(n)));
        }
        return new Raw.Sequence(List.copyOf(elements), where);
    }

    private Raw disagreement(Where where) {
        faults.add(where, "the TOML parser cannot read this value; write it in another way");
        return new Raw.Scalar("", where);
    }
}
