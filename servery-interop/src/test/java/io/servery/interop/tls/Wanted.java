package io.servery.interop.tls;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;

/// What a certificate is to be.
///
/// @param name of its files and its subject
/// @param alternativeNames as `subjectAltName` has them
/// @param key its kind: `EC:P-256`, `RSA:2048`, `ED25519`
/// @param start when it begins to be valid, from now
/// @param end when it ends, from now
record Wanted(String name, String alternativeNames, String key, Duration start, Duration end) {
    static Wanted of(String name, String... hosts) {
        String names = Arrays.stream(hosts).map(host -> (host.matches("[0-9.]+") ? "IP:" : "DNS:") + host)
                .collect(Collectors.joining(","));
        return new Wanted(name, names, "EC:P-256", Duration.ofHours(-1), Duration.ofDays(30));
    }

    Wanted key(String other) {
        return new Wanted(name, alternativeNames, other, start, end);
    }

    Wanted valid(Duration from, Duration until) {
        return new Wanted(name, alternativeNames, key, from, until);
    }
}
