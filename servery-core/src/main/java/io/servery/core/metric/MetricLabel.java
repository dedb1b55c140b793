package io.servery.core.metric;

import java.util.Locale;

/// A value that a metric label may take: always a constant of an enumeration, so the set of series is finite.
public interface MetricLabel {
    /// The name of the constant.
    String name();

    /// The value as it is exposed: lower case with underscores.
    default String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
