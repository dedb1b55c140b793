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
    /// @param role the same for all of a group
    /// @param address as the parent prints it: `127.0.0.1:8000`, `[::]:443`, `unix:/run/servery/http.sock`
    record Listener(Shard shard, ListenerRole role, String address) {
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
    ///
    /// @param parting over so long connections are told to end, one after the other: not all clients come anew at once, to
    /// workers that are new, too. Zero where nobody serves in its place
    record Drain(Duration timeout, Duration parting) implements Order {
        public Drain {
            Bounds.require("timeout", timeout.toNanos(), 0, Bounds.DRAIN_MAX.toNanos());
            Bounds.require("parting", parting.toNanos(), 0, timeout.toNanos());
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

    /// Show these identities from the next handshake on, and seal session tickets with the first of these keys; open
    /// those of all. Before `Prepare` it is a part of what that needs; after it, report `Identified` with the same number.
    ///
    /// @param identities that by default first
    /// @param clientAuthorities in PEM; empty where no certificate of clients is asked for. They do not change in a life
    /// @param ticketKeys in hexadecimal digits
    record Identify(long number, List<Shown> identities, String clientAuthorities, List<String> ticketKeys)
            implements
                Order {
        public Identify {
            identities = List.copyOf(identities);
            ticketKeys = List.copyOf(ticketKeys);
            Bounds.require("number", number, 0, Long.MAX_VALUE);
            Bounds.require("identities", identities.size(), 1, Bounds.IDENTITIES_MAX);
            Bounds.requireText("client authorities", clientAuthorities, Bounds.AUTHORITIES_BYTES_MAX);
            Bounds.require("ticket keys", ticketKeys.size(), 1, Bounds.TICKET_KEYS_MAX);
            ticketKeys.forEach(key -> Bounds.requireText("ticket key", key, Bounds.TICKET_KEY_BYTES_MAX));
            long bytes = clientAuthorities.length();
            for (Shown identity : identities) {
                bytes += identity.bytes();
            }
            Bounds.require("bytes of all identities", bytes, 0, Bounds.IDENTIFY_BYTES_MAX);
        }

        @Override
        public String toString() {
            return "Identify[number=" + number + ", identities=" + identities + ", ticketKeys=<redacted>]";
        }
    }

    /// One identity.
    ///
    /// @param names the hosts that choose it; none for that by default
    /// @param certificates the chain in PEM
    /// @param key in PEM, not encrypted
    record Shown(List<String> names, String certificates, String key) {
        public Shown {
            names = List.copyOf(names);
            Bounds.require("names", names.size(), 0, Bounds.NAMES_MAX);
            names.forEach(name -> Bounds.requireText("name", name, Bounds.NAME_BYTES_MAX));
            Bounds.requireText("certificates", certificates, Bounds.CHAIN_BYTES_MAX);
            Bounds.requireText("key", key, Bounds.PRIVATE_KEY_BYTES_MAX);
        }

        /// What it takes in a frame, at least.
        long bytes() {
            long bytes = (long) certificates.length() + key.length();
            for (String name : names) {
                bytes += Integer.BYTES + name.length();
            }
            return bytes;
        }

        @Override
        public String toString() {
            return "Shown[names=" + names + ", key=<redacted>]";
        }
    }

    /// Answer these challenges and no others, then report `Posted` with the same number. Before `Prepare` it is a part of what
    /// that makes.
    ///
    /// @param challenges all that stand; none takes down what stood
    record Post(long number, Challenges challenges) implements Order {
        public Post {
            Bounds.require("number", number, 0, Long.MAX_VALUE);
        }
    }

    /// Report everything counted so far as `MetricsSnapshot`.
    record TakeSnapshot() implements Order {
    }
}
