package io.servery.admin;

import io.servery.http.semantics.Status;
import java.util.function.Supplier;

/// The answer of `/metrics`, still to be made: it gathers and prints some hundreds of series, which takes too long for an
/// event loop.
public final class MetricsRendering implements AdminOutcome {
    private final ExpositionFormat format;
    private final Supplier<MetricsReport> reports;

    MetricsRendering(ExpositionFormat format, Supplier<MetricsReport> reports) {
        this.format = format;
        this.reports = reports;
    }

    /// Makes the answer, on any thread that may be kept busy for some milliseconds.
    public AdminAnswer answer() {
        return AdminAnswer.of(Status.OK, format.contentType(), format.print(reports.get().families()));
    }
}
