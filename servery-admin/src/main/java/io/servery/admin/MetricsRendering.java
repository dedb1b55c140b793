package io.servery.admin;

import io.servery.admin.AdminAnswer.Field;
import io.servery.http.semantics.Status;
import java.util.function.Supplier;

/// The answer of `/metrics`, still to be made: it gathers and prints some hundreds of series, which takes too long for an
/// event loop.
public final class MetricsRendering implements AdminOutcome {
    private static final Field RETRY = new Field("Retry-After", "1");

    private final ExpositionFormat format;
    private final Supplier<? extends MetricsGathering> reports;

    MetricsRendering(ExpositionFormat format, Supplier<? extends MetricsGathering> reports) {
        this.format = format;
        this.reports = reports;
    }

    /// Makes the answer, on any thread that may be kept busy for some milliseconds, and wait for a part of the service.
    public AdminAnswer answer() {
        return switch (reports.get()) {
            case MetricsReport report ->
                AdminAnswer.of(Status.OK, format.contentType(), format.print(report.families()));
            case MetricsGathering.Late(String message) ->
                AdminAnswer.text(Status.SERVICE_UNAVAILABLE, message + "\n", RETRY);
        };
    }
}
