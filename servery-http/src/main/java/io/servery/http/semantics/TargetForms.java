package io.servery.http.semantics;

import io.servery.http.semantics.RequestTarget.Absolute;
import io.servery.http.semantics.RequestTarget.AuthorityForm;
import io.servery.http.semantics.RequestTarget.Fault;
import io.servery.http.semantics.RequestTarget.Invalid;
import io.servery.http.semantics.RequestTarget.Origin;
import org.jspecify.annotations.Nullable;

/// The reading of one form of request target each.
final class TargetForms {
    private static final String SCHEME_END = "://";

    private TargetForms() {
    }

    static RequestTarget origin(String raw) {
        int pathEnd = UriCharacters.end(UriCharacters.PATH, raw, 0, raw.length());
        if (pathEnd == raw.length()) {
            return new Origin(raw, null);
        }
        Fault fault = tailFault(raw, pathEnd);
        return fault != null ? new Invalid(fault) : new Origin(raw.substring(0, pathEnd), raw.substring(pathEnd + 1));
    }

    static RequestTarget absolute(String raw) {
        int schemeEnd = raw.indexOf(':');
        if (schemeEnd <= 0 || !isScheme(raw, schemeEnd)) {
            return new Invalid(Fault.FORM);
        }
        String scheme = knownScheme(raw, schemeEnd);
        if (scheme == null) {
            return new Invalid(Fault.SCHEME);
        }
        int authorityFrom = schemeEnd + SCHEME_END.length();
        int authorityEnd = authorityEnd(raw, authorityFrom);
        Authority authority = raw.startsWith(SCHEME_END, schemeEnd)
                ? Authority.parse(raw.substring(authorityFrom, authorityEnd))
                : null;
        return authority == null
                ? new Invalid(Fault.AUTHORITY)
                : absolute(raw, scheme, authority, authorityEnd);
    }

    private static RequestTarget absolute(String raw, String scheme, Authority authority, int authorityEnd) {
        int pathEnd = UriCharacters.end(UriCharacters.PATH, raw, authorityEnd, raw.length());
        Fault fault = pathEnd == raw.length() ? null : tailFault(raw, pathEnd);
        if (fault != null) {
            return new Invalid(fault);
        }
        String path = pathEnd == authorityEnd ? "/" : raw.substring(authorityEnd, pathEnd);
        return new Absolute(scheme, authority, path, pathEnd == raw.length() ? null : raw.substring(pathEnd + 1));
    }

    /// CONNECT has no default port: an absent or empty one is refused (RFC 9110 §9.3.6).
    static RequestTarget authority(String raw) {
        Authority authority = Authority.parse(raw);
        if (authority == null) {
            return new Invalid(raw.startsWith("/") ? Fault.FORM : Fault.AUTHORITY);
        }
        return authority.hasPort() ? new AuthorityForm(authority) : new Invalid(Fault.AUTHORITY);
    }

    /// What is wrong from the end of the path on: null when a sound query follows.
    private static @Nullable Fault tailFault(String raw, int pathEnd) {
        if (raw.charAt(pathEnd) != '?') {
            return faultAt(raw, pathEnd);
        }
        int queryEnd = UriCharacters.end(UriCharacters.QUERY, raw, pathEnd + 1, raw.length());
        return queryEnd == raw.length() ? null : faultAt(raw, queryEnd);
    }

    private static Fault faultAt(String raw, int at) {
        return raw.charAt(at) == '%' ? Fault.ESCAPE : Fault.CHARACTER;
    }

    private static int authorityEnd(String raw, int from) {
        int at = from;
        while (at < raw.length() && raw.charAt(at) != '/' && raw.charAt(at) != '?' && raw.charAt(at) != '#') {
            at++;
        }
        return at;
    }

    private static @Nullable String knownScheme(String raw, int length) {
        if (length == 4 && raw.regionMatches(true, 0, "http", 0, 4)) {
            return "http";
        }
        return length == 5 && raw.regionMatches(true, 0, "https", 0, 5) ? "https" : null;
    }

    /// `ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )` (RFC 3986 §3.1), checked before case is folded.
    private static boolean isScheme(String raw, int length) {
        for (int at = 0; at < length; at++) {
            char c = raw.charAt(at);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            boolean later = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
            if (!letter && !(at > 0 && later)) {
                return false;
            }
        }
        return true;
    }
}
