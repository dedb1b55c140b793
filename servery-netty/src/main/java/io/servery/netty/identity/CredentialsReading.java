package io.servery.netty.identity;

import io.servery.core.fault.Fault;
import io.servery.core.tls.Credentials;
import java.util.List;

/// What became of the files that a configuration names.
public sealed interface CredentialsReading {

    /// All of it can be shown to peers now.
    record Accepted(Credentials credentials) implements CredentialsReading {
    }

    /// Everything that is wrong; at least one fault.
    record Refused(List<Fault> faults) implements CredentialsReading {
        public Refused {
            faults = List.copyOf(faults);
        }
    }
}
