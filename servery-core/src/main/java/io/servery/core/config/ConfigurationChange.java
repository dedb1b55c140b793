package io.servery.core.config;

import io.servery.core.control.Order;
import io.servery.core.fault.Fault;
import java.util.List;

/// What it takes to go from one accepted configuration to another: the keys whose effective values differ decide.
///
/// Secrets are compared by their values and never shown.
public sealed interface ConfigurationChange {

    /// Every effective value is the same.
    record None() implements ConfigurationChange {
    }

    /// What runs can take all of it.
    ///
    /// @param settings the new values of the keys that differ and that workers have, in the order of the reference page
    /// @param keys all that differ, those too whose meaning the parent hands over: of identities the name of the table
    record Hot(List<Order.Setting> settings, List<String> keys) implements ConfigurationChange {
        public Hot {
            settings = List.copyOf(settings);
            keys = List.copyOf(keys);
        }
    }

    /// New workers are needed.
    ///
    /// @param keys that differ, hot ones too; of mounts the name of the table where one came or went
    record Generation(List<String> keys) implements ConfigurationChange {
        public Generation {
            keys = List.copyOf(keys);
        }
    }

    /// Only a restart of the service can change that.
    ///
    /// @param keys that need it
    /// @param faults one for each, with both values and where they stand
    record Restart(List<String> keys, List<Fault> faults) implements ConfigurationChange {
        public Restart {
            keys = List.copyOf(keys);
            faults = List.copyOf(faults);
        }
    }

    /// What differs.
    ///
    /// @param before what the service runs with
    static ConfigurationChange between(Effective before, Effective after) {
        return new Difference(before, after).judge();
    }
}
