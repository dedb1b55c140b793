package io.servery.core.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// The rules over more than one key, and over what a key names on this host.
///
/// A rule is silent when one of its keys was refused already.
final class Rules {
    private final Values values;
    private final List<Values> mounts;
    private final Where fallback;
    private final Faults faults;

    /// @param fallback where a fault is that no written key is to blame for
    Rules(Values values, List<Values> mounts, Where fallback, Faults faults) {
        this.values = values;
        this.mounts = mounts;
        this.fallback = fallback;
        this.faults = faults;
    }

    void check() {
        endpoint(ListenerKeys.INHERIT, ListenerKeys.HOST, ListenerKeys.PORT, ListenerKeys.UNIX,
                ListenerKeys.REDIRECT_PORT);
        endpoint(ListenerKeys.UNIX, ListenerKeys.HOST, ListenerKeys.PORT, ListenerKeys.REDIRECT_PORT);
        endpoint(MetricsKeys.UNIX, MetricsKeys.HOST, MetricsKeys.PORT);
        workers();
        backoff();
        protocols();
        sizes();
        admin();
        sameAddress();
        redirect();
        directories();
        files(ApplicationKeys.STATIC, values);
        mounts();
    }

    private void endpoint(Key<?> instead, Key<?>... of) {
        if (values.find(instead).isEmpty()) {
            return;
        }
        for (Key<?> key : of) {
            if (values.isExplicit(key)) {
                add(key, "`" + key.path() + "`: found together with `" + instead.path() + "`; expected one of the two");
            }
        }
    }

    /// What "auto" is depends on the host: then nothing is too much that some host has.
    private void workers() {
        Optional<Integer> minimum = values.find(RuntimeKeys.MINIMUM_WORKERS);
        if (minimum.isPresent() && values.sound(RuntimeKeys.WORKERS, RuntimeKeys.MINIMUM_WORKERS)) {
            OptionalInt workers = values.of(RuntimeKeys.WORKERS);
            int most = workers.orElse(RuntimeConfig.WORKERS_AUTO);
            if (minimum.get() > most) {
                add(RuntimeKeys.MINIMUM_WORKERS, "`runtime.minimum_workers`: found " + minimum.get()
                        + "; expected at most `runtime.workers`, "
                        + (workers.isPresent() ? most : "which is " + most + " at most"));
            }
        }
    }

    private void backoff() {
        if (values.sound(RuntimeKeys.BACKOFF_INITIAL, RuntimeKeys.BACKOFF_MAX)
                && values.of(RuntimeKeys.BACKOFF_INITIAL).compareTo(values.of(RuntimeKeys.BACKOFF_MAX)) > 0) {
            Key<?> blamed = values.isExplicit(RuntimeKeys.BACKOFF_INITIAL)
                    ? RuntimeKeys.BACKOFF_INITIAL
                    : RuntimeKeys.BACKOFF_MAX;
            add(blamed, "`runtime.restart_backoff_initial`: found "
                    + Numbers.Time.shown(values.of(RuntimeKeys.BACKOFF_INITIAL).toMillis())
                    + "; expected at most `runtime.restart_backoff_max`, "
                    + Numbers.Time.shown(values.of(RuntimeKeys.BACKOFF_MAX).toMillis()));
        }
    }

    private void protocols() {
        if (values.sound(ListenerKeys.HTTP1) && !values.of(ListenerKeys.HTTP1)) {
            add(ListenerKeys.HTTP1, "`listener.http1`: found false; expected a protocol that is spoken");
        }
    }

    private void sizes() {
        notMore(ResourceKeys.MAX_TARGET_BYTES, ResourceKeys.MAX_HEAD_BYTES);
        if (values.of(ResourceKeys.FILE_CACHE_BYTES) > 0) {
            notMore(ResourceKeys.SMALL_FILE_BYTES, ResourceKeys.FILE_CACHE_BYTES);
        }
    }

    private void notMore(Key<Long> part, Key<Long> whole) {
        if (values.sound(part, whole) && values.of(part) > values.of(whole)) {
            Key<?> blamed = values.isExplicit(part) ? part : whole;
            add(blamed, "`" + part.path() + "`: found " + Numbers.Size.shown(values.of(part)) + "; expected at most `"
                    + whole.path() + "`, " + Numbers.Size.shown(values.of(whole)));
        }
    }

    private void admin() {
        if (!values.of(MetricsKeys.ENABLED)) {
            return;
        }
        paths();
        boolean isPublic = values.find(MetricsKeys.UNIX).isEmpty()
                && !values.of(MetricsKeys.HOST).stream().allMatch(Forms::isLoopback);
        if (isPublic && values.sound(MetricsKeys.TOKEN, MetricsKeys.HOST) && values.find(MetricsKeys.TOKEN).isEmpty()) {
            faults.add(where(MetricsKeys.HOST), "`metrics.host`: found an address beyond loopback; expected"
                    + " `metrics.token` with it", "set metrics.token = { file = \"…\" }, or stay on 127.0.0.1");
        }
    }

    private void paths() {
        Map<String, Key<?>> seen = new HashMap<>();
        for (Key<String> key : List.of(MetricsKeys.PATH, MetricsKeys.LIVE_PATH, MetricsKeys.READY_PATH)) {
            Key<?> other = seen.putIfAbsent(values.of(key), key);
            if (other != null && values.sound(key, other)) {
                Key<?> blamed = values.isExplicit(key) ? key : other;
                add(blamed, "`" + key.path() + "`: found the path of `" + other.path() + "`; expected another");
            }
        }
    }

    private void sameAddress() {
        if (!values.of(MetricsKeys.ENABLED)) {
            return;
        }
        Optional<Path> socket = values.find(ListenerKeys.UNIX);
        Optional<Path> adminSocket = values.find(MetricsKeys.UNIX);
        if (socket.isPresent() && socket.equals(adminSocket)) {
            add(MetricsKeys.UNIX, "`metrics.unix`: found the socket of `listener.unix`; expected another");
        }
        boolean ports = socket.isEmpty() && adminSocket.isEmpty() && values.find(ListenerKeys.INHERIT).isEmpty();
        boolean samePort = ports && values.of(MetricsKeys.PORT) != 0
                && values.of(MetricsKeys.PORT).equals(values.of(ListenerKeys.PORT));
        if (samePort && hostsMeet()) {
            Key<?> blamed = values.isExplicit(MetricsKeys.PORT) ? MetricsKeys.PORT : ListenerKeys.PORT;
            add(blamed, "`metrics.port`: found the address of the public listener; expected another");
        }
    }

    private void redirect() {
        if (!values.sound(ListenerKeys.REDIRECT_PORT, TlsKeys.MODE, ListenerKeys.PORT)) {
            return;
        }
        int port = values.find(ListenerKeys.REDIRECT_PORT).orElse(0);
        boolean written = port > 0 && values.isExplicit(ListenerKeys.REDIRECT_PORT);
        if (written && values.of(TlsKeys.MODE) == TlsKeys.Mode.OFF) {
            add(ListenerKeys.REDIRECT_PORT,
                    "`listener.redirect_port`: found beside `tls.mode = \"off\"`; expected TLS to redirect to");
        } else if (written && values.of(ListenerKeys.PORT) == 0) {
            add(ListenerKeys.REDIRECT_PORT,
                    "`listener.redirect_port`: found beside `listener.port = 0`; expected a port that a redirect can name");
        } else if (port > 0 && ListenerKeys.canRedirect(values)) {
            redirectCollides(port);
        }
    }

    private void redirectCollides(int port) {
        Key<?> other = values.of(ListenerKeys.PORT) == port ? ListenerKeys.PORT : MetricsKeys.PORT;
        boolean admin = values.of(MetricsKeys.ENABLED) && values.find(MetricsKeys.UNIX).isEmpty() && hostsMeet();
        if (other.equals(ListenerKeys.PORT) || admin && values.of(MetricsKeys.PORT) == port) {
            Key<?> blamed = values.isExplicit(ListenerKeys.REDIRECT_PORT) ? ListenerKeys.REDIRECT_PORT : other;
            faults.add(where(blamed), "`listener.redirect_port`: found " + port + ", the port of `" + other.path()
                    + "`; expected another", "0 redirects nothing");
        }
    }

    private boolean hostsMeet() {
        Set<String> any = Set.of("0.0.0.0", "::");
        List<String> hosts = values.of(ListenerKeys.HOST);
        List<String> admin = values.of(MetricsKeys.HOST);
        return hosts.stream().anyMatch(any::contains) || admin.stream().anyMatch(any::contains)
                || hosts.stream().anyMatch(admin::contains);
    }

    /// A directory that does not exist is made at the start; what exists in its place must be one.
    private void directories() {
        for (Key<Path> key : List.of(RuntimeKeys.STATE_DIRECTORY, RuntimeKeys.RUNTIME_DIRECTORY)) {
            values.find(key).filter(path -> Files.exists(path) && !Files.isDirectory(path))
                    .ifPresent(path -> add(key, "`" + key.path() + "`: found no directory at "
                            + Printable.shown(path.toString()) + "; expected one, or nothing"));
        }
    }

    private void mounts() {
        Map<String, Values> seen = new HashMap<>();
        for (Values mount : mounts) {
            files(ApplicationKeys.MOUNT, mount);
            String path = mount.of(ApplicationKeys.MOUNT_PATH);
            if (mount.sound(ApplicationKeys.MOUNT_PATH) && seen.putIfAbsent(path, mount) != null) {
                faults.add(mount.at(ApplicationKeys.MOUNT_PATH).orElse(fallback),
                        "`mount.path`: found \"" + path + "\" a second time; expected each path once");
            }
        }
    }

    private void files(StaticFileKeys keys, Values scope) {
        if (!scope.sound(keys.root)) {
            return;
        }
        Path root = scope.of(keys.root);
        Where where = scope.at(keys.root).orElse(fallback);
        String shown = Printable.shown(root.toString());
        if (!Files.isDirectory(root)) {
            faults.add(where, "`" + keys.root.path() + "`: found "
                    + (Files.exists(root) ? "no directory at " : "nothing at ") + shown + "; expected a directory");
        } else if (!Files.isReadable(root) || !Files.isExecutable(root)) {
            faults.add(where, "`" + keys.root.path() + "`: found a directory that cannot be read, " + shown
                    + "; expected one that can");
        } else {
            pages(keys, scope, root);
        }
    }

    private void pages(StaticFileKeys keys, Values scope, Path root) {
        for (String page : scope.of(keys.errorPages).values()) {
            if (!Files.isRegularFile(root.resolve(page))) {
                faults.add(scope.at(keys.errorPages).orElse(fallback), "`" + keys.errorPages.path()
                        + "`: found no file " + Printable.quoted(page) + " below the root; expected one");
            }
        }
    }

    private void add(Key<?> key, String what) {
        faults.add(where(key), what);
    }

    private Where where(Key<?> key) {
        return values.where(key).orElse(fallback);
    }
}
