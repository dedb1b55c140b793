package io.servery.interop.load;

import io.servery.interop.Site;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import javax.net.ssl.SSLContext;

/// A few dozen clients, each a thread with one connection at a time, from its start to {@link #stop}.
///
/// Allowed to a server: `Connection: close` on any answer, and an orderly end of a connection on which nothing is owed.
/// Everything else that is not the whole right answer is {@link Lost}. A request that met such an end is counted apart, and
/// only where the client had been silent for as long as a drain lets idle connections live: it has no answer at all, and
/// the client asks again on a new connection. What a busy machine took from the clients is not held against the server.
public final class Load implements AutoCloseable {
    private static final Duration END = Duration.ofSeconds(40);
    private static final int PROBES = 10;

    private final Tally tally = new Tally();
    private final List<Thread> threads = new ArrayList<>();

    private Load() {
    }

    /// How many clients of each kind there are, beside ten probes a second.
    public record Mix(int fresh, int kept, int idle, int pipelined, int slowPosts, int downloads) {
        /// All of them, and not so many that two cores have nothing left for the service.
        public static final Mix USUAL = new Mix(4, 8, 6, 4, 4, 3);
        public static final Mix PROBES_ONLY = new Mix(0, 0, 0, 0, 0, 0);
    }

    /// Adds the files that the clients ask for.
    public static Site generate(Path folder) {
        Site site = Site.generate(folder);
        Target.putFiles(site);
        return site;
    }

    public static Load start(int port, Mix mix) {
        return start(Target.at(port), mix);
    }

    /// The same over TLS. The certificate must be for `localhost`; sessions are resumed.
    public static Load start(int port, Mix mix, SSLContext tls) {
        return start(Target.at(port, Optional.of(tls)), mix);
    }

    private static Load start(Target target, Mix mix) {
        Load load = new Load();
        Tally tally = load.tally;
        load.threads.add(Thread.ofPlatform().daemon().name("load-stalls").start(tally.stalls()));
        long now = System.nanoTime();
        for (int i = 0; i < PROBES; i++) {
            load.add(FreshClient.probe(target, tally, now + i * 1_000_000_000L / PROBES));
        }
        load.add(mix.fresh(), seed -> FreshClient.unpaced(target, tally, seed));
        load.add(mix.kept(), seed -> new KeptClient(Kind.KEPT, target, tally, seed));
        load.add(mix.idle(), seed -> new KeptClient(Kind.IDLE, target, tally, seed));
        load.add(mix.pipelined(), seed -> new KeptClient(Kind.PIPELINED, target, tally, seed));
        load.add(mix.slowPosts(), seed -> new SlowPostClient(target, tally, seed));
        load.add(mix.downloads(), seed -> new DownloadClient(target, tally, seed));
        return load;
    }

    private void add(int count, LongFunction<Client> make) {
        for (int i = 0; i < count; i++) {
            add(make.apply(i));
        }
    }

    private void add(Client client) {
        threads.add(Thread.ofPlatform().daemon().name("load-" + client.kind + "-" + threads.size()).start(client));
    }

    public long answers(Kind kind) {
        return tally.answers(kind);
    }

    /// Every exchange that went wrong, a thousand of them at most.
    public List<Lost> lost() {
        return tally.allLost();
    }

    /// How much of this time the machine took from its clients.
    public Duration stalled(long fromNanos, long toNanos) {
        return tally.stalls().within(fromNanos, toNanos);
    }

    /// Lets every client finish what it has begun.
    public void stop() throws InterruptedException {
        tally.finish();
        long end = System.nanoTime() + END.toNanos();
        for (Thread thread : threads) {
            if (!thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())))) {
                throw new AssertionError(thread.getName() + " did not finish within " + END);
            }
        }
    }

    @Override
    public void close() {
        tally.finish();
    }

    /// What was seen, for people.
    @Override
    public String toString() {
        return tally.toString();
    }
}
