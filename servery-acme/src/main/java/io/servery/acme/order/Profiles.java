package io.servery.acme.order;

import io.servery.acme.challenge.Name;
import io.servery.core.reason.Reason;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Which of the profiles of an authority is asked for (draft-ietf-acme-profiles).
final class Profiles {
    /// The only one in which Let's Encrypt issues for IP addresses.
    private static final String FOR_ADDRESSES = "shortlived";

    private Profiles() {
    }

    /// @param configured what the operator wants
    /// @param offered by the authority; none if it has no profiles
    static Optional<String> choose(Optional<String> configured, List<Name> names, Set<String> offered)
            throws AttemptException {
        if (configured.isPresent() && !offered.contains(configured.get())) {
            throw new AttemptException(Reason.CA_REJECTED, "tls.acme.profile: found \"" + configured.get()
                    + "\"; expected " + (offered.isEmpty()
                            ? "none, as the authority has no profiles"
                            : "one of " + new TreeSet<>(offered)));
        }
        boolean address = names.stream().anyMatch(Name.Ip.class::isInstance);
        return configured.isPresent() || !address || !offered.contains(FOR_ADDRESSES)
                ? configured
                : Optional.of(FOR_ADDRESSES);
    }
}
