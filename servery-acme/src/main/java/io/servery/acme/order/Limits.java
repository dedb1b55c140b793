package io.servery.acme.order;

import java.time.Duration;

/// How long each part of an attempt may take.
///
/// @param request one request and the whole of its answer
/// @param publication until every worker has acknowledged the challenges
/// @param validation until the authority has verified every name
/// @param issuance from the certificate request to the certificate
public record Limits(Duration request, Duration publication, Duration validation, Duration issuance) {
    /// What a service has.
    public static final Limits USUAL = new Limits(Duration.ofSeconds(30), Duration.ofSeconds(30),
            Duration.ofMinutes(5), Duration.ofMinutes(5));
}
