package io.servery.core.config;

import io.servery.core.control.Order;
import io.servery.core.fault.Fault;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// The keys whose effective values differ between two configurations, and what they need together.
final class Difference {
    private final Effective before;
    private final Effective after;
    private final List<Key<?>> changed = new ArrayList<>();
    private final Set<String> inMounts = new LinkedHashSet<>();
    private final boolean identities;

    Difference(Effective before, Effective after) {
        this.before = before;
        this.after = after;
        for (Key<?> key : KeyTable.single()) {
            if (key.available() && !key.equals(KeyTable.SCHEMA_VERSION) && differs(key)) {
                changed.add(key);
            }
        }
        mounts();
        identities = !before.identities().equals(after.identities());
    }

    /// A reference that moved without its secret is no change, and a secret that changed in its place is one.
    private boolean differs(Key<?> key) {
        return key.type().isSecret()
                ? !before.values().find(key).equals(after.values().find(key))
                : !before.written(key).equals(after.written(key));
    }

    private void mounts() {
        List<Map<String, String>> old = before.writtenMounts();
        List<Map<String, String>> now = after.writtenMounts();
        for (int n = 0; n < Math.max(old.size(), now.size()); n++) {
            if (n >= old.size() || n >= now.size()) {
                inMounts.add(KeyTable.MOUNT);
            } else {
                compare(old.get(n), now.get(n));
            }
        }
    }

    private void compare(Map<String, String> old, Map<String, String> now) {
        for (Key<?> key : KeyTable.element(KeyTable.MOUNT)) {
            if (!Objects.equals(old.get(key.path()), now.get(key.path()))) {
                inMounts.add(key.path());
            }
        }
    }

    ConfigurationChange judge() {
        if (changed.isEmpty() && inMounts.isEmpty() && !identities) {
            return new ConfigurationChange.None();
        }
        List<Key<?>> refused = changed.stream().<Key<?>>map(key -> key)
                .filter(key -> key.change() == Key.Change.RESTART).toList();
        if (!refused.isEmpty()) {
            return new ConfigurationChange.Restart(refused.stream().map(Key::path).toList(),
                    refused.stream().map(this::fault).sorted(Fault.BY_PLACE).toList());
        }
        List<String> keys = new ArrayList<>(changed.stream().<String>map(Key::path).toList());
        if (identities) {
            keys.add(KeyTable.IDENTITY);
        }
        List<Order.Setting> settings = settings();
        long byParent = changed.stream().filter(Key::isTakenByParent).count();
        if (inMounts.isEmpty() && settings.size() + byParent == changed.size()) {
            return new ConfigurationChange.Hot(settings, keys);
        }
        keys.addAll(inMounts);
        return new ConfigurationChange.Generation(keys);
    }

    /// The changes that a running worker takes: those of hot keys that still have a value.
    private List<Order.Setting> settings() {
        List<Order.Setting> settings = new ArrayList<>();
        for (Key<?> key : changed) {
            Optional<String> value = key.isPushed() ? after.written(key) : Optional.empty();
            value.ifPresent(words -> settings.add(new Order.Setting(key.path(), words)));
        }
        return settings;
    }

    private Fault fault(Key<?> key) {
        return Fault.configuration(after.place(key),
                "`" + key.path() + "`: found " + shown(after, key) + "; expected " + shown(before, key)
                        + ", which the service runs with (" + before.origin(key.path()).orElse("default") + ")",
                "stop the service and start it again to change this");
    }

    private static String shown(Effective effective, Key<?> key) {
        return effective.written(key).orElse("none");
    }
}
