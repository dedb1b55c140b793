package io.servery.interop.load;

/// An exchange of this connection went wrong.
final class Broken extends Exception {
    private static final long serialVersionUID = 1;

    private final Lost.What what;

    Broken(Lost.What what, String detail) {
        super(detail);
        this.what = what;
    }

    Lost.What what() {
        return what;
    }
}
