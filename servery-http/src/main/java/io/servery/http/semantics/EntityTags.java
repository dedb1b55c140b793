package io.servery.http.semantics;

import java.util.List;

/// What If-Match or If-None-Match names: any representation, the listed ones, or nothing that can be understood.
public sealed interface EntityTags {
    /// `*`: any current representation.
    record Any() implements EntityTags {
    }

    /// These tags, in the order received over all lines; empty when the field has no member.
    record Listed(List<EntityTag> tags) implements EntityTags {
        public Listed {
            tags = List.copyOf(tags);
        }
    }

    /// Text that is no list of entity tags, or `*` beside something else.
    record Malformed() implements EntityTags {
    }
}
