package io.servery.core.config;

import java.util.ArrayList;
import java.util.List;

/// Where every key and value of a TOML 1.0 text stands, and everything that makes the text invalid.
///
/// night-config reads the values but keeps no positions and accepts some invalid documents; this reads the same text
/// strictly and keeps only positions. What it accepts is valid TOML 1.0.
final class TomlIndex {
    /// Arrays and inline tables within each other, and segments of one key.
    private static final int DEPTH_MAX = 32;
    /// Names and values, each of which is some hundred bytes in memory: a file of the size that is read has room for more than
    /// the heap of a parent, which a reload must not end.
    private static final int NODES_MAX = 1 << 15;

    private final TomlCursor cursor;
    private final TomlNode root = new TomlNode(TomlNode.Kind.HEADED, new Span(0, 0));
    private final List<TomlRefusal> refusals = new ArrayList<>();
    private TomlNode table = root;
    private final List<String> headerNames = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private int nodes;

    TomlIndex(String text) {
        this.cursor = new TomlCursor(text);
    }

    /// A name in a key and where it stands.
    private record Segment(String name, Span span) {
    }

    /// Reads the whole text. A syntax error ends the reading, a name that is defined twice does not.
    void read() {
        try {
            cursor.blankLines();
            while (!cursor.atEnd()) {
                expression();
                cursor.endOfLine();
                cursor.blankLines();
            }
        } catch (TomlRefusal refusal) {
            refusals.add(refusal);
        }
    }

    TomlNode root() {
        return root;
    }

    List<TomlRefusal> refusals() {
        return refusals;
    }

    /// Every name in the last header and in the last expression: by them one can tell whether a text that stopped
    /// being TOML there may be shown.
    List<String> lastNames() {
        List<String> all = new ArrayList<>(headerNames);
        all.addAll(names);
        return all;
    }

    private void expression() {
        names.clear();
        if (cursor.skip("[[")) {
            header("]]", true);
        } else if (cursor.skip("[")) {
            header("]", false);
        } else {
            keyValue(table, 0);
        }
    }

    private void header(String close, boolean repeated) {
        cursor.blanks();
        List<Segment> key = key();
        if (!cursor.skip(close)) {
            throw cursor.refusal("the header of a table ends with `" + close + "`");
        }
        headerNames.clear();
        headerNames.addAll(names);
        TomlNode parent = root;
        for (Segment segment : key.subList(0, key.size() - 1)) {
            parent = parent(parent, segment);
        }
        Segment last = key.getLast();
        table = repeated ? repeated(parent, last) : headed(parent, last);
    }

    private TomlNode parent(TomlNode within, Segment segment) {
        TomlNode existing = within.member(segment.name);
        if (existing == null) {
            return add(within, segment, TomlNode.Kind.IMPLICIT);
        }
        return switch (existing.kind) {
            case IMPLICIT, HEADED, DOTTED -> existing;
            case TABLES -> existing.last();
            case SCALAR -> conflict(segment, "has a value and cannot be a table");
            case ARRAY -> conflict(segment, "is an array and cannot be extended");
            case INLINE -> conflict(segment, "is an inline table and cannot be extended");
        };
    }

    private TomlNode headed(TomlNode parent, Segment segment) {
        TomlNode existing = parent.member(segment.name);
        if (existing == null) {
            return add(parent, segment, TomlNode.Kind.HEADED);
        }
        if (existing.kind == TomlNode.Kind.IMPLICIT) {
            existing.kind = TomlNode.Kind.HEADED;
            return existing;
        }
        return conflict(segment, "is defined already");
    }

    private TomlNode repeated(TomlNode parent, Segment segment) {
        TomlNode existing = parent.member(segment.name);
        TomlNode tables = existing == null ? add(parent, segment, TomlNode.Kind.TABLES) : existing;
        if (tables.kind != TomlNode.Kind.TABLES) {
            return conflict(segment, "is defined already and is no array of tables");
        }
        TomlNode element = new TomlNode(TomlNode.Kind.HEADED, segment.span);
        tables.elements.add(element);
        return element;
    }

    private void keyValue(TomlNode within, int depth) {
        List<Segment> key = key();
        if (!cursor.skip("=")) {
            throw cursor.refusal("a key needs `=` and a value");
        }
        cursor.blanks();
        TomlNode parent = within;
        for (Segment segment : key.subList(0, key.size() - 1)) {
            parent = dotted(parent, segment);
        }
        Segment last = key.getLast();
        TomlNode node = value(last.span, depth);
        if (parent.members.putIfAbsent(last.name, node) != null) {
            conflict(last, "is defined already");
        }
    }

    private TomlNode dotted(TomlNode within, Segment segment) {
        TomlNode existing = within.member(segment.name);
        if (existing == null) {
            return add(within, segment, TomlNode.Kind.DOTTED);
        }
        return switch (existing.kind) {
            case DOTTED -> existing;
            case IMPLICIT -> {
                existing.kind = TomlNode.Kind.DOTTED;
                yield existing;
            }
            case INLINE -> conflict(segment, "is an inline table and cannot be extended");
            case HEADED -> conflict(segment, "has a header of its own: put its keys there");
            case SCALAR -> conflict(segment, "has a value and cannot be a table");
            case ARRAY, TABLES -> conflict(segment, "is an array and cannot be extended");
        };
    }

    private List<Segment> key() {
        List<Segment> key = new ArrayList<>();
        do {
            cursor.blanks();
            int start = cursor.at();
            counted();
            String name = cursor.keySegment();
            names.add(name);
            key.add(new Segment(name, new Span(start, cursor.at())));
            if (key.size() > DEPTH_MAX) {
                throw cursor.refusal(start, "a key of more than " + DEPTH_MAX + " segments");
            }
            cursor.blanks();
        } while (cursor.skip("."));
        return key;
    }

    /// Nothing is kept, nor found wrong, but for a name or a value.
    private void counted() {
        if (++nodes > NODES_MAX) {
            throw cursor.refusal("more than " + NODES_MAX + " names and values");
        }
    }

    private TomlNode value(Span key, int depth) {
        int start = cursor.at();
        counted();
        TomlNode node;
        if (depth > DEPTH_MAX) {
            throw cursor.refusal("values more than " + DEPTH_MAX + " deep");
        } else if (cursor.skip("[")) {
            node = array(key, depth);
        } else if (cursor.skip("{")) {
            node = inline(key, depth);
        } else {
            cursor.scalar();
            node = new TomlNode(TomlNode.Kind.SCALAR, key);
        }
        node.value = new Span(start, cursor.at());
        return node;
    }

    private TomlNode array(Span key, int depth) {
        TomlNode array = new TomlNode(TomlNode.Kind.ARRAY, key);
        cursor.blankLines();
        while (!cursor.skip("]")) {
            array.elements.add(value(key, depth + 1));
            cursor.blankLines();
            if (!cursor.skip(",") && cursor.peek() != ']') {
                throw cursor.refusal("the elements of an array are separated by `,` and end with `]`");
            }
            cursor.blankLines();
        }
        return array;
    }

    private TomlNode inline(Span key, int depth) {
        TomlNode inline = new TomlNode(TomlNode.Kind.INLINE, key);
        cursor.blanks();
        if (cursor.skip("}")) {
            return inline;
        }
        do {
            cursor.blanks();
            keyValue(inline, depth + 1);
            cursor.blanks();
        } while (cursor.skip(","));
        if (!cursor.skip("}")) {
            throw cursor.refusal("the keys of an inline table are separated by `,` and end with `}` on the same line");
        }
        return inline;
    }

    private static TomlNode add(TomlNode parent, Segment segment, TomlNode.Kind kind) {
        TomlNode node = new TomlNode(kind, segment.span);
        parent.members.put(segment.name, node);
        return node;
    }

    /// Notes the conflict and goes on with a table of its own that nobody will read.
    private TomlNode conflict(Segment segment, String what) {
        refusals.add(new TomlRefusal(segment.span, "`" + Printable.shown(segment.name) + "` " + what));
        return new TomlNode(TomlNode.Kind.HEADED, segment.span);
    }
}
