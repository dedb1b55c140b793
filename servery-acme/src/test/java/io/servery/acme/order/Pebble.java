package io.servery.acme.order;

import java.net.URI;
import java.security.cert.X509Certificate;

/// A running authority of Let's Encrypt's for tests, with the DNS server that it asks.
interface Pebble extends AutoCloseable {

    /// Its directory.
    URI directory();

    /// Its root, for `directory_ca_file`.
    X509Certificate root();

    @Override
    void close();

    /// How it is to behave.
    ///
    /// @param nonceRejectPercent of the nonces that are good
    /// @param externalAccounts whether it wants them
    record Manner(int nonceRejectPercent, boolean externalAccounts, boolean strict) {
        static Manner usual() {
            return new Manner(0, false, true);
        }

        Manner rejecting(int percent) {
            return new Manner(percent, externalAccounts, strict);
        }

        Manner withExternalAccounts() {
            return new Manner(nonceRejectPercent, true, strict);
        }
    }
}
