package io.servery.core.config;

import java.nio.file.Path;
import java.util.List;

/// The keys of `[metrics]`: the admin listener.
final class MetricsKeys {
    static final Key<Boolean> ENABLED = Key.now("metrics.enabled", new Words.Truth(), "Open the admin listener.")
            .byProfile("false", "true");
    static final Key<List<String>> HOST = Key
            .now("metrics.host", new Groups.ListOf<>(Forms.HOST, true, 1, 16), "Its addresses.").byDefault("127.0.0.1");
    static final Key<Integer> PORT = Key.now("metrics.port", new Numbers.Count(0, 65_535), "Its port.")
            .byDefault("9090");
    static final Key<Path> UNIX = Key.now("metrics.unix", new Words.FilePath(ListenerKeys.SOCKET_BYTES_MAX),
            "A Unix domain socket instead of host and port.");
    static final Key<String> PATH = Key.now("metrics.path", Forms.URL, "Where the metrics are.").byDefault("/metrics");
    static final Key<String> LIVE_PATH = Key.now("metrics.live_path", Forms.URL, "Answers 200 while live.")
            .byDefault("/livez");
    static final Key<String> READY_PATH = Key.now("metrics.ready_path", Forms.URL, "Answers 200 while ready.")
            .byDefault("/readyz");
    static final Key<Secret> TOKEN = Key.now("metrics.token", new SecretType(),
            "What a client presents as `Authorization: Bearer`; an address beyond loopback needs it.");

    static final List<Key<?>> ALL = List.of(ENABLED, HOST, PORT, UNIX, PATH, LIVE_PATH, READY_PATH, TOKEN);

    private MetricsKeys() {
    }
}
