package io.servery.core.config;

import io.servery.core.control.Order;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The configuration as a worker has it: the values that its parent resolved, and those that were pushed since.
///
/// The parent writes it with [Effective#workerText]; no profile, environment or file is asked again. Nothing of
/// `[metrics]`, no file of an identity and no secret is in it: [ServeryConfig#metrics] is [Metrics.Off], and identities are
/// [Tls.OfParent].
///
/// *Invariant*: what the text says is what the values are. A text that this build would not have written is refused.
public final class WorkerConfiguration {
    private final Values values;
    private final List<Values> mounts;
    private final ServeryConfig config;

    WorkerConfiguration(Values values, List<Values> mounts) {
        this.values = values;
        this.mounts = List.copyOf(mounts);
        this.config = new Binder(values).bind(values.of(KeyTable.PROFILE), new Repeated(mounts, List.of()));
    }

    /// Reads what [Effective#workerText] wrote.
    ///
    /// @throws IllegalArgumentException with the line and what is wrong there: parent and worker are not of one build
    public static WorkerConfiguration read(String text) {
        return new WorkerText(text).read();
    }

    /// The values as records.
    public ServeryConfig config() {
        return config;
    }

    /// This configuration with other values of hot keys.
    ///
    /// @throws IllegalArgumentException for a key that is not hot, or a value that this build would not have written
    public WorkerConfiguration with(List<Order.Setting> settings) {
        Values changed = new Values(values);
        Set<String> seen = new HashSet<>();
        for (Order.Setting setting : settings) {
            Key<?> key = KeyTable.single(setting.key()).filter(Key::isPushed).filter(hot -> seen.add(hot.path()))
                    .orElseThrow(() -> new IllegalArgumentException("worker configuration: pushed: found `"
                            + Printable.shown(setting.key()) + "`; expected a hot key, and each once"));
            changed.put(key, WorkerText.value(key, setting.value(), "pushed"));
        }
        return new WorkerConfiguration(changed, new ArrayList<>(mounts));
    }
}
