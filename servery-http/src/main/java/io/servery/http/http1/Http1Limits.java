package io.servery.http.http1;

import io.servery.core.config.Resources;

/// What one connection may use, in the units in which it is compared: bytes, counts and nanoseconds.
///
/// Source: the keys of `[resources]` with the same names; 0 means no limit where that table says so.
public record Http1Limits(int headBytesMax, int fieldsMax, int targetBytesMax, long bodyBytesMax,
        long keepaliveDrainBytesMax, int requestsMax, long headNanos, long bodyNanos, long bodyRateBytesPerSecond,
        long writeNanos, long keepaliveNanos) {

    /// The limits of a configuration.
    public static Http1Limits of(Resources resources) {
        return new Http1Limits(Math.toIntExact(resources.maxHeadBytes()), resources.maxFields(),
                Math.toIntExact(resources.maxTargetBytes()), resources.maxRequestBody(),
                resources.keepaliveDrainLimit(), resources.maxRequestsPerConnection(),
                resources.requestHeadTimeout().toNanos(), resources.requestBodyTimeout().toNanos(),
                resources.requestBodyRate(), resources.writeTimeout().toNanos(),
                resources.keepaliveTimeout().toNanos());
    }
}
