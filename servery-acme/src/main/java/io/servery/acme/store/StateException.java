package io.servery.acme.store;

import java.io.IOException;
import java.nio.file.Path;

/// A state directory that cannot be used as it is, or cannot be used now.
public final class StateException extends IOException {
    private static final long serialVersionUID = 1L;

    StateException(Path where, String foundAndExpected) {
        super(where + ": " + foundAndExpected);
    }
}
