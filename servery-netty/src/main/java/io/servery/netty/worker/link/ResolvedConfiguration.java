package io.servery.netty.worker.link;

import io.servery.core.config.Configuration;
import io.servery.core.config.ConfigurationInputs;
import io.servery.core.config.Outcome;
import io.servery.core.config.ServeryConfig;
import io.servery.core.config.Setting;
import io.servery.core.control.Order;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The configuration of this worker: what its parent resolved, and what it pushed since.
record ResolvedConfiguration(String text, List<Order.Setting> pushed, ServeryConfig config) {
    ResolvedConfiguration {
        pushed = List.copyOf(pushed);
    }

    /// @throws IllegalArgumentException with what is wrong in it
    static ResolvedConfiguration read(String text) {
        return read(text, List.of());
    }

    /// This configuration with these values in place of its own.
    ///
    /// @throws IllegalArgumentException with what is wrong in them
    ResolvedConfiguration with(List<Order.Setting> settings) {
        List<Order.Setting> all = new ArrayList<>(pushed);
        all.addAll(settings);
        return read(text, all);
    }

    private static ResolvedConfiguration read(String text, List<Order.Setting> pushed) {
        ConfigurationInputs inputs = new ConfigurationInputs(Optional.of(Path.of("/worker.toml")), Map.of(),
                pushed.stream().map(one -> new Setting("--set", one.key(), one.value().replaceAll("^\"|\"$", ""))).toList(),
                Path.of("/"), true);
        return switch (Configuration.read(text.getBytes(StandardCharsets.UTF_8), inputs)) {
            case Outcome.Accepted accepted -> new ResolvedConfiguration(text, pushed, accepted.config());
            case Outcome.Refused refused -> throw new IllegalArgumentException(refused.faults().toString());
        };
    }
}
