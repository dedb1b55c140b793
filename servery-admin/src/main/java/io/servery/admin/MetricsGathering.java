package io.servery.admin;

/// What comes of gathering metrics.
public sealed interface MetricsGathering permits MetricsReport, MetricsGathering.Late {

    /// None: a part of the service did not say in time what it has counted. That says nothing of what was counted, so nothing
    /// is shown.
    ///
    /// @param message which part, and what to do, for people; one line
    record Late(String message) implements MetricsGathering {
    }
}
