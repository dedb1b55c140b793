package io.servery.core.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// Puts the values of the keys into their records. Only values that no rule refused get here.
final class Binder {
    private final Values values;

    Binder(Values values) {
        this.values = values;
    }

    ServeryConfig bind(Profile profile, Repeated repeated) {
        return new ServeryConfig(profile, runtime(), listener(), tls(repeated.identities()), resources(), logging(),
                metrics(), files(ApplicationKeys.STATIC, values),
                repeated.mounts().stream().map(Binder::mount).toList());
    }

    private Tls tls(List<Values> identities) {
        return switch (values.of(TlsKeys.MODE)) {
            case OFF -> new Tls.Off();
            case SELF_SIGNED -> tls(new Tls.SelfSigned());
            case ACME -> values.find(TlsKeys.ACME_DOMAINS).isEmpty()
                    ? tls(new Tls.OfParent())
                    : tls(acme(values.of(TlsKeys.ACME_DOMAINS)));
            case MANUAL -> values.find(TlsKeys.CERTIFICATE_FILE).isEmpty()
                    ? tls(new Tls.OfParent()) // a worker's: no rule lets it through elsewhere
                    : tls(new Tls.Manual(
                            new Tls.Files(values.of(TlsKeys.CERTIFICATE_FILE), values.of(TlsKeys.PRIVATE_KEY_FILE),
                                    values.find(TlsKeys.PRIVATE_KEY_PASSWORD)),
                            identities.stream().map(Binder::identity).toList()));
        };
    }

    private Tls.Acme acme(List<String> domains) {
        return new Tls.Acme(domains, values.find(TlsKeys.ACME_EMAIL), values.of(TlsKeys.ACME_DIRECTORY),
                values.find(TlsKeys.ACME_DIRECTORY_CA_FILE), values.of(TlsKeys.ACME_CHALLENGE),
                values.find(TlsKeys.ACME_PROFILE), values.find(TlsKeys.ACME_RENEW_BEFORE),
                values.of(TlsKeys.ACME_ACCEPT_TERMS), values.find(TlsKeys.ACME_KEY_ID)
                        .map(keyId -> new Tls.ExternalAccount(keyId, values.of(TlsKeys.ACME_HMAC_KEY))));
    }

    private Tls tls(Tls.Source source) {
        return new Tls.On(source, values.of(TlsKeys.MINIMUM_VERSION), values.of(TlsKeys.GROUPS),
                values.of(TlsKeys.CLIENT_CERTIFICATES), values.find(TlsKeys.CLIENT_CA_FILE), values.of(TlsKeys.HSTS));
    }

    private static Tls.Identity identity(Values scope) {
        return new Tls.Identity(scope.of(TlsKeys.IDENTITY_NAMES),
                new Tls.Files(scope.of(TlsKeys.IDENTITY_CERTIFICATE_FILE), scope.of(TlsKeys.IDENTITY_PRIVATE_KEY_FILE),
                        scope.find(TlsKeys.IDENTITY_PRIVATE_KEY_PASSWORD)));
    }

    private RuntimeConfig runtime() {
        return new RuntimeConfig(values.of(RuntimeKeys.WORKERS), number(RuntimeKeys.MINIMUM_WORKERS),
                values.of(RuntimeKeys.EVENT_LOOPS), values.of(RuntimeKeys.TRANSPORT),
                values.of(RuntimeKeys.DRAIN_TIMEOUT), values.of(RuntimeKeys.FORCE_TIMEOUT),
                values.of(RuntimeKeys.START_TIMEOUT), restarts(), recycling(), values.of(RuntimeKeys.HANG_TIMEOUT),
                new RuntimeConfig.Memory(size(RuntimeKeys.WORKER_HEAP), size(RuntimeKeys.WORKER_DIRECT_MEMORY)),
                values.of(RuntimeKeys.STATE_DIRECTORY), values.find(RuntimeKeys.RUNTIME_DIRECTORY),
                values.find(RuntimeKeys.USER), values.find(RuntimeKeys.GROUP));
    }

    private RuntimeConfig.Restarts restarts() {
        return new RuntimeConfig.Restarts(values.of(RuntimeKeys.BACKOFF_INITIAL), values.of(RuntimeKeys.BACKOFF_MAX),
                values.of(RuntimeKeys.RESTART_LIMIT), values.of(RuntimeKeys.RESTART_WINDOW));
    }

    private RuntimeConfig.Recycling recycling() {
        return new RuntimeConfig.Recycling(values.of(RuntimeKeys.MAX_AGE), values.of(RuntimeKeys.MAX_AGE_JITTER),
                values.of(RuntimeKeys.MAX_REQUESTS));
    }

    private OptionalInt number(Key<Integer> key) {
        return values.find(key).map(OptionalInt::of).orElseGet(OptionalInt::empty);
    }

    private OptionalLong size(Key<Long> key) {
        return values.find(key).map(OptionalLong::of).orElseGet(OptionalLong::empty);
    }

    private Listener listener() {
        Optional<Endpoint> inherited = values.find(ListenerKeys.INHERIT).map(Endpoint.Inherited::new);
        return new Listener(
                inherited.orElseGet(() -> endpoint(ListenerKeys.UNIX, ListenerKeys.HOST, ListenerKeys.PORT)),
                redirectPort(), values.of(ListenerKeys.HTTP1), values.of(ListenerKeys.BACKLOG));
    }

    private OptionalInt redirectPort() {
        OptionalInt port = number(ListenerKeys.REDIRECT_PORT);
        return port.orElse(0) > 0 && ListenerKeys.canRedirect(values) ? port : OptionalInt.empty();
    }

    private Endpoint.Own endpoint(Key<Path> unix, Key<List<String>> host, Key<Integer> port) {
        Optional<Path> socket = values.find(unix);
        return socket.isPresent()
                ? new Endpoint.UnixSocket(socket.get())
                : new Endpoint.Tcp(values.of(host), values.of(port));
    }

    private Resources resources() {
        return new Resources(values.of(ResourceKeys.MAX_CONNECTIONS),
                values.of(ResourceKeys.MAX_CONNECTIONS_PER_CLIENT),
                values.of(ResourceKeys.MAX_REQUESTS_PER_CONNECTION), values.of(ResourceKeys.MAX_HEAD_BYTES),
                values.of(ResourceKeys.MAX_FIELDS), values.of(ResourceKeys.MAX_TARGET_BYTES),
                values.of(ResourceKeys.MAX_REQUEST_BODY), values.of(ResourceKeys.KEEPALIVE_DRAIN_LIMIT),
                values.of(ResourceKeys.HANDSHAKE_TIMEOUT), values.of(ResourceKeys.REQUEST_HEAD_TIMEOUT),
                values.of(ResourceKeys.REQUEST_BODY_TIMEOUT), values.of(ResourceKeys.REQUEST_BODY_RATE),
                values.of(ResourceKeys.WRITE_TIMEOUT), values.of(ResourceKeys.KEEPALIVE_TIMEOUT),
                values.of(ResourceKeys.FILE_CACHE_BYTES), values.of(ResourceKeys.SMALL_FILE_BYTES),
                values.of(ResourceKeys.COMPRESSION_CACHE_BYTES),
                new Resources.Lanes(new Resources.Lane(values.of(ResourceKeys.FILESYSTEM_THREADS),
                        values.of(ResourceKeys.FILESYSTEM_QUEUE)),
                        new Resources.ComputeLane(values.find(ResourceKeys.COMPUTE_THREADS),
                                values.of(ResourceKeys.COMPUTE_QUEUE), values.of(ResourceKeys.COMPUTE_BYTES))));
    }

    private Logging logging() {
        return new Logging(values.of(LoggingKeys.LEVEL), values.of(LoggingKeys.FORMAT),
                values.of(LoggingKeys.ACCESS));
    }

    private Metrics metrics() {
        return values.of(MetricsKeys.ENABLED)
                ? new Metrics.On(endpoint(MetricsKeys.UNIX, MetricsKeys.HOST, MetricsKeys.PORT),
                        values.of(MetricsKeys.PATH), values.of(MetricsKeys.LIVE_PATH),
                        values.of(MetricsKeys.READY_PATH), values.find(MetricsKeys.TOKEN))
                : new Metrics.Off();
    }

    private static Mount mount(Values scope) {
        return new Mount(scope.of(ApplicationKeys.MOUNT_PATH), files(ApplicationKeys.MOUNT, scope));
    }

    private static StaticFiles files(StaticFileKeys keys, Values scope) {
        return new StaticFiles(scope.of(keys.root), scope.of(keys.index), scope.of(keys.listing),
                scope.of(keys.showHidden), scope.of(keys.spa), scope.of(keys.symlinks), scope.of(keys.compress),
                scope.of(keys.precompressed), scope.of(keys.digests),
                scope.find(keys.cacheMaxAge),
                scope.of(keys.immutable), scope.of(keys.cacheRevalidate), scope.of(keys.securityHeaders),
                scope.of(keys.errorPages), scope.of(keys.headers));
    }
}
