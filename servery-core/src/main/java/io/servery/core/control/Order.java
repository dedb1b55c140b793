package io.servery.core.control;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What the parent tells a worker to do: imperatives, obeyed in the order of their sending.
///
/// A constructor throws where a value is out of its [Bounds]: whoever sends is held to them.
public sealed interface Order {

    /// Hold these listening sockets without reading them.
    ///
    /// *Invariant*: the n-th descriptor that travels beside the frame is the n-th of the list.
    record TakeListeners(List<Listener> listeners) implements Order {
        public TakeListeners {
            listeners = List.copyOf(listeners);
            Bounds.require("listeners", listeners.size(), 1, Bounds.DESCRIPTORS_MAX);
            Shard.ascending(listeners.stream().map(Listener::shard).toList());
        }
    }

    /// A listening socket and where it listens, which the worker checks.
    ///
    /// @param address as the parent prints it: `127.0.0.1:8000`, `[::]:443`, `unix:/run/servery/http.sock`
    record Listener(Shard shard, String address) {
        public Listener {
            Bounds.requireText("address", address, Bounds.ADDRESS_BYTES_MAX);
        }
    }

    /// Load the application and whatever it takes to serve, then report `Prepared`. Read nothing yet.
    ///
    /// @param configuration the resolved configuration as TOML, which may hold secrets
    /// @param shards all that were handed over before: a surplus or a lack is a failure
    record Prepare(int generation, int slot, String configuration, List<Shard> shards) implements Order {
        public Prepare {
            Bounds.require("generation", generation, 0, Integer.MAX_VALUE);
            Bounds.require("slot", slot, 0, Integer.MAX_VALUE);
            Bounds.requireText("configuration", configuration, Bounds.CONFIGURATION_BYTES_MAX);
            shards = Shard.ascending(shards);
        }

        @Override
        public String toString() {
            return "Prepare[generation=" + generation + ", slot=" + slot + ", configuration=<redacted>, shards="
                    + shards + "]";
        }
    }

    /// All are prepared: start what must run once the start is certain, then report `Ready`.
    record Commit() implements Order {
    }

    /// Read these shards.
    record Adopt(List<Shard> shards) implements Order {
        public Adopt {
            shards = Shard.ascending(shards);
        }
    }

    /// Stop reading these shards at once, then report `Released` with the same number.
    record Release(long number, List<Shard> shards) implements Order {
        public Release {
            Bounds.require("number", number, 0, Long.MAX_VALUE);
            shards = Shard.ascending(shards);
        }
    }

    /// Accept what waits on the shards that are still read, report them `Released` with the number 0, then finish all work
    /// within the timeout, report `Drained`, and exit.
    record Drain(Duration timeout) implements Order {
        public Drain {
            Bounds.require("timeout", timeout.toNanos(), 0, Bounds.DRAIN_MAX.toNanos());
        }
    }

    /// Use these values of hot keys from now on.
    record Push(List<Setting> settings) implements Order {
        public Push {
            settings = List.copyOf(settings);
            Bounds.require("settings", settings.size(), 1, Bounds.SETTINGS_MAX);
            Set<String> keys = new HashSet<>();
            settings.forEach(setting -> keys.add(setting.key()));
            Bounds.require("distinct keys", keys.size(), settings.size(), settings.size());
        }
    }

    /// A hot key of the configuration and its new value, written as in TOML.
    record Setting(String key, String value) {
        public Setting {
            Bounds.requireText("key", key, Bounds.KEY_BYTES_MAX);
            Bounds.requireText("value", value, Bounds.VALUE_BYTES_MAX);
        }

        @Override
        public String toString() {
            return "Setting[key=" + key + ", value=<redacted>]";
        }
    }

    /// Report everything counted so far as `MetricsSnapshot`.
    record TakeSnapshot() implements Order {
    }
}
