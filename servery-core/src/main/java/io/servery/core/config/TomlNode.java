package io.servery.core.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One key or element of a TOML document: what kind it is and where it stands.
final class TomlNode {
    /// What TOML lets one do with a name that exists already depends on how it came to be.
    enum Kind {
        SCALAR,
        /// `[1, 2]`: closed.
        ARRAY,
        /// `{ a = 1 }`: closed.
        INLINE,
        /// Named only as the parent of a header.
        IMPLICIT,
        /// `[a]`.
        HEADED,
        /// Made by a dotted key.
        DOTTED,
        /// `[[a]]`: the elements are HEADED.
        TABLES
    }

    final Span key;
    final Map<String, TomlNode> members = new LinkedHashMap<>();
    final List<TomlNode> elements = new ArrayList<>();
    Kind kind;
    Span value;

    TomlNode(Kind kind, Span key) {
        this.kind = kind;
        this.key = key;
        this.value = key;
    }

    boolean isTable() {
        return switch (kind) {
            case INLINE, IMPLICIT, HEADED, DOTTED -> true;
            case SCALAR, ARRAY, TABLES -> false;
        };
    }

    @Nullable
    TomlNode member(String name) {
        return members.get(name);
    }

    TomlNode last() {
        return elements.getLast();
    }
}
