package io.servery.http.semantics;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An entity tag (RFC 9110 §8.8.3): opaque text of one representation, compared octet by octet.
///
/// *Invariant*: `opaque` holds `etagc` alone, so that its quotes are never part of it; a backslash escapes nothing.
public record EntityTag(String opaque, boolean weak) {
    private static final String WEAK = "W/";

    public EntityTag {
        for (int at = 0; at < opaque.length(); at++) {
            if (!inTag(opaque.charAt(at))) {
                throw new IllegalArgumentException("an entity tag cannot hold the character at " + at);
            }
        }
    }

    /// The tag that is the whole of this text, or null when the text is no single tag.
    public static @Nullable EntityTag parse(String text) {
        return end(text, 0) == text.length() ? at(text, 0, text.length()) : null;
    }

    /// The members of a field such as If-None-Match, over all of its lines.
    public static EntityTags parseList(List<String> lines) {
        if (lines.size() == 1 && lines.getFirst().equals("*")) {
            return new EntityTags.Any();
        }
        List<EntityTag> tags = new ArrayList<>();
        for (String line : lines) {
            for (int at = FieldSyntax.nextMember(line, 0); at < line.length(); at = FieldSyntax.nextMember(line,
                    end(line, at))) {
                int end = end(line, at);
                if (end < 0 || !FieldSyntax.endsMember(line, end)) {
                    return new EntityTags.Malformed();
                }
                tags.add(at(line, at, end));
            }
        }
        return new EntityTags.Listed(tags);
    }

    /// Equal, and neither is weak (RFC 9110 §8.8.3.2).
    public boolean strongMatch(EntityTag other) {
        return !weak && !other.weak && opaque.equals(other.opaque);
    }

    /// Equal, whether weak or not (RFC 9110 §8.8.3.2).
    public boolean weakMatch(EntityTag other) {
        return opaque.equals(other.opaque);
    }

    /// The tag as a field carries it.
    @Override
    public String toString() {
        return weak ? "W/\"" + opaque + '"' : '"' + opaque + '"';
    }

    /// Whether the member of the list that starts at `at` matches this tag, without making a tag of it.
    boolean matches(String line, int at, boolean strong) {
        boolean otherWeak = line.startsWith(WEAK, at);
        int open = otherWeak ? at + WEAK.length() : at;
        boolean comparable = !strong || (!weak && !otherWeak);
        return comparable && line.startsWith(opaque, open + 1) && line.startsWith("\"", open + 1 + opaque.length());
    }

    /// One past the tag that starts at `at`, or -1 when no tag does.
    static int end(String line, int at) {
        int open = line.startsWith(WEAK, at) ? at + WEAK.length() : at;
        if (open >= line.length() || line.charAt(open) != '"') {
            return -1;
        }
        int close = open + 1;
        while (close < line.length() && inTag(line.charAt(close))) {
            close++;
        }
        return close < line.length() && line.charAt(close) == '"' ? close + 1 : -1;
    }

    private static EntityTag at(String line, int from, int end) {
        boolean weak = line.startsWith(WEAK, from);
        return new EntityTag(line.substring(weak ? from + 3 : from + 1, end - 1), weak);
    }

    private static boolean inTag(char c) {
        return c == 0x21 || (c >= 0x23 && c <= 0x7e) || (c >= 0x80 && c <= 0xff);
    }
}
