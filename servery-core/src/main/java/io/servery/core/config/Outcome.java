package io.servery.core.config;

import io.servery.core.fault.Fault;
import java.util.List;

/// What became of a configuration.
public sealed interface Outcome {

    /// No rule is broken.
    record Accepted(ServeryConfig config, Effective effective) implements Outcome {
    }

    /// Everything that is wrong, sorted by place; at least one fault.
    record Refused(List<Fault> faults) implements Outcome {
        public Refused {
            faults = List.copyOf(faults);
        }
    }
}
