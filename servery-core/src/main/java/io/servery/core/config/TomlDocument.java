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
import org.jspecify.annotations.Nullable;

/// A TOML text as values with places: night-config reads the values, [TomlIndex] the places.
final class TomlDocument {
    private final SourceText source;
    private final Faults faults;

    private TomlDocument(SourceText source, Faults faults) {
        this.source = source;
        this.faults = faults;
    }

    /// The document, or empty when the text is not valid TOML; the faults say why.
    static Optional<Raw.Table> read(SourceText source, Faults faults) {
        return new TomlDocument(source, faults).read();
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
        String segment = index.lastSegment();
        if (segment != null && Sensitive.isSensitive(segment)) {
            source.withholdExcerpts();
        }
        for (TomlRefusal refusal : index.refusals()) {
            faults.add(new Where.InText(source, refusal.span()), refusal.what());
        }
    }

    private void redact(TomlNode node) {
        node.members.forEach((name, member) -> {
            if (Sensitive.isSensitive(name) && !member.isTable()) {
                source.redact(member.value);
            }
            redact(member);
        });
        node.elements.forEach(this::redact);
    }

    private Optional<Raw.Table> values(TomlNode root) {
        try {
            return Optional.of(table(root, new TomlParser().parse(new StringReader(source.text())).valueMap()));
        } catch (ParsingException e) {
            faults.add(new Where.InText(source, root.value),
                    "the TOML parser cannot read this file: " + Printable.shown(String.valueOf(e.getMessage())));
            return Optional.empty();
        }
    }

    private Raw.Table table(TomlNode node, Map<String, Object> values) {
        Map<String, Raw.Entry> entries = new LinkedHashMap<>();
        node.members.forEach((name, member) -> entries.put(name,
                new Raw.Entry(new Where.InText(source, member.key), value(member, values.get(name)))));
        boolean headed = node.kind == TomlNode.Kind.HEADED || node.kind == TomlNode.Kind.IMPLICIT;
        return new Raw.Table(entries, new Where.InText(source, node.value), headed);
    }

    private Raw value(TomlNode node, @Nullable Object value) {
        Where where = new Where.InText(source, node.value);
        return switch (value) {
            case UnmodifiableConfig config when node.isTable() -> table(node, config.valueMap());
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
