package io.servery.acme.order;

/// The attempt was told to end. Within this package: outside it is [Reply.Cancelled].
final class CancelledException extends Exception {
    private static final long serialVersionUID = 1L;
}
