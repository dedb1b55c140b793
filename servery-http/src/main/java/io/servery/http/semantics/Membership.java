package io.servery.http.semantics;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Whether the current representation is among those that a list of entity tags names. The list is read in place:
/// no tag is made of a member.
enum Membership {
    MEMBER,
    ABSENT,
    MALFORMED;

    /// The whole list is read even after a match, so that the answer does not depend on the order of its members.
    static Membership of(RequestFields fields, FieldName name, @Nullable Validators current, boolean strong) {
        EntityTag etag = current == null ? null : current.etag();
        String first = fields.value(name);
        if (fields.count(name) == 1 && first != null) {
            boolean any = first.equals("*");
            return any ? current == null ? ABSENT : MEMBER : ofLine(first, etag, strong);
        }
        return ofLines(fields.values(name), etag, strong);
    }

    private static Membership ofLines(List<String> lines, @Nullable EntityTag etag, boolean strong) {
        Membership found = ABSENT;
        for (int at = 0; at < lines.size(); at++) {
            Membership line = ofLine(lines.get(at), etag, strong);
            if (line == MALFORMED) {
                return MALFORMED;
            }
            found = line == MEMBER ? MEMBER : found;
        }
        return found;
    }

    private static Membership ofLine(String line, @Nullable EntityTag etag, boolean strong) {
        Membership found = ABSENT;
        int at = FieldSyntax.nextMember(line, 0);
        while (at < line.length()) {
            int end = EntityTag.end(line, at);
            if (end < 0 || !FieldSyntax.endsMember(line, end)) {
                return MALFORMED;
            }
            if (etag != null && etag.matches(line, at, strong)) {
                found = MEMBER;
            }
            at = FieldSyntax.nextMember(line, end);
        }
        return found;
    }
}
