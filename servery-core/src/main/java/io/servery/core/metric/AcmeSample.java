package io.servery.core.metric;

import io.servery.core.reason.Reason;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/// What the parent has counted of attempts to get a certificate from an authority, at one moment.
///
/// @param attempts how many ended for each of [#REASONS]; what is absent is none
/// @param nextAttemptSeconds when the next begins at the latest, since the Unix epoch; empty where none is planned
public record AcmeSample(Map<Reason, Long> attempts, OptionalDouble nextAttemptSeconds) {
    /// The reasons that an attempt ends for: the first two are successes.
    public static final List<Reason> REASONS = List.of(Reason.ISSUED, Reason.RENEWED, Reason.CHALLENGE_FAILURE,
            Reason.CA_REJECTED, Reason.NETWORK_FAILURE, Reason.INVALID_MATERIAL, Reason.ACTIVATION_FAILURE,
            Reason.STORAGE_FAILURE);

    public AcmeSample {
        attempts = Map.copyOf(attempts);
    }

    /// The series: each exists from the start.
    public List<MetricFamily> families() {
        return List.of(
                new MetricFamily(MetricName.SERVERY_ACME_ATTEMPTS_TOTAL, REASONS.stream()
                        .<MetricSeries>map(reason -> new MetricSeries.Value(List.of(result(reason), reason.code()),
                                attempts.getOrDefault(reason, 0L)))
                        .toList()),
                new MetricFamily(MetricName.SERVERY_ACME_NEXT_ATTEMPT_TIMESTAMP_SECONDS,
                        List.of(new MetricSeries.Value(List.of(), nextAttemptSeconds.orElse(0)))));
    }

    private static String result(Reason reason) {
        return reason == Reason.ISSUED || reason == Reason.RENEWED ? "success" : "failure";
    }
}
