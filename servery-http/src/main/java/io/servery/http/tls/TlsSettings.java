package io.servery.http.tls;

import io.servery.core.config.KeyGroup;
import io.servery.core.config.TlsVersion;
import java.time.Duration;
import java.util.List;

/// What every handshake of a listener keeps to, whoever's identity is shown.
///
/// @param minimumVersion the oldest version that is spoken
/// @param groups for the agreement of keys, best first
/// @param handshakeTimeout from accept to the end of the handshake
/// @param protocols what is spoken inside (RFC 7301), best first; a client that offers only others is refused, one that
///        offers nothing leaves it open
public record TlsSettings(TlsVersion minimumVersion, List<KeyGroup> groups, ClientCertificates clientCertificates,
        Duration handshakeTimeout, List<String> protocols) {
    public TlsSettings {
        groups = List.copyOf(groups);
        protocols = List.copyOf(protocols);
        if (groups.isEmpty() || protocols.isEmpty() || !handshakeTimeout.isPositive()) {
            throw new IllegalArgumentException("groups, protocols, handshakeTimeout: found " + groups + ", " + protocols
                    + ", " + handshakeTimeout + "; expected at least one of each and a time");
        }
    }

    /// The same where no client is asked for a certificate.
    public TlsSettings withoutClientCertificates() {
        return new TlsSettings(minimumVersion, groups, new ClientCertificates.Off(), handshakeTimeout, protocols);
    }
}
