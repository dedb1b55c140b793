package io.servery.core.tls;

import io.servery.core.fault.Fault;
import java.util.List;

/// What became of the texts of an identity.
public sealed interface IdentityReading {

    /// It can be shown to peers now.
    record Accepted(Identity identity) implements IdentityReading {
    }

    /// Everything that is wrong; at least one fault.
    record Refused(List<Fault> faults) implements IdentityReading {
        public Refused {
            faults = List.copyOf(faults);
        }
    }
}
