package io.servery.core.config;

/// The text stops being TOML, or JSON, here.
///
/// An exception because it leaves a recursive descent of any depth; it never leaves this package.
final class TomlRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Span span;
    private final String what;

    TomlRefusal(Span span, String what) {
        super(what, null, false, false);
        this.span = span;
        this.what = what;
    }

    Span span() {
        return span;
    }

    String what() {
        return what;
    }
}
