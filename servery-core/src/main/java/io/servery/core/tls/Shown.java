package io.servery.core.tls;

import javax.security.auth.x500.X500Principal;

/// The name of a certificate, fit for one line of a terminal.
final class Shown {
    private static final int SHOWN_MAX = 80;

    private Shown() {
    }

    /// In the form of RFC 2253 and in ASCII, cut to a length; a nameless one by what tells that.
    static String name(X500Principal principal) {
        String name = principal.getName();
        StringBuilder shown = new StringBuilder();
        name.codePoints().limit(SHOWN_MAX).map(c -> c >= ' ' && c <= '~' ? c : '?').forEach(shown::appendCodePoint);
        return shown.isEmpty() ? "a nameless subject" : shown.append(name.length() > SHOWN_MAX ? "…" : "").toString();
    }
}
