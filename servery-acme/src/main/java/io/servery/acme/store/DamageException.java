package io.servery.acme.store;

/// Content that is not what was written. Within this package: outside it is [Loaded.Damaged].
final class DamageException extends Exception {
    private static final long serialVersionUID = 1L;

    DamageException(String foundAndExpected) {
        super(foundAndExpected);
    }
}
