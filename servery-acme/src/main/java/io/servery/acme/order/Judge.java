package io.servery.acme.order;

import io.servery.core.fault.Fault;
import io.servery.core.reason.Reason;
import io.servery.core.tls.CertificateNames;
import io.servery.core.tls.Identity;
import io.servery.core.tls.IdentityReader;
import io.servery.core.tls.IdentityReading;
import io.servery.core.tls.IdentityText;
import io.servery.core.tls.KeyPairs;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// What a certificate must be before it may take the place of another: what every identity must be, and ours alone.
///
/// Not here: whether clients trust its root, which nobody but they can say.
final class Judge {
    private Judge() {
    }

    /// The identity that was issued.
    ///
    /// @throws AttemptException with all that is wrong with it
    static Identity accepted(AcmeSettings settings, List<X509Certificate> chain, KeyPair key, Instant now)
            throws AttemptException {
        String authority = settings.acme().directory().getHost();
        IdentityText issued = new IdentityText("", authority, Identity.certificatesPem(chain), authority,
                KeyPairs.pem(key), Optional.empty(), List.of());
        return switch (IdentityReader.read(issued, now)) {
            case IdentityReading.Accepted(Identity identity) -> ofAll(settings.certificateNames(), identity);
            case IdentityReading.Refused(List<Fault> faults) -> throw new AttemptException(Reason.INVALID_MATERIAL,
                    faults.stream().map(Fault::what).collect(Collectors.joining("; ")));
        };
    }

    /// All that were asked for and no others: a certificate with more would speak for somebody else too.
    private static Identity ofAll(CertificateNames wanted, Identity identity) throws AttemptException {
        if (!identity.names().equals(wanted)) {
            throw new AttemptException(Reason.INVALID_MATERIAL, "`names`: found " + identity.names() + "; expected "
                    + wanted);
        }
        return identity;
    }
}
