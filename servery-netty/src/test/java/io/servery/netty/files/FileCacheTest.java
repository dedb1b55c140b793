package io.servery.netty.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.config.StaticFiles.Symlinks;
import io.servery.core.metric.CacheName;
import io.servery.core.metric.CacheResult;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.netty.files.CachedFile.Moment;
import io.servery.netty.files.open.FileIdentity;
import io.servery.netty.files.open.Root;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileCacheTest {
    private static final long NOW_MILLIS = 1_700_000_000_000L;
    private static final int CONTENT = 1000;

    private final MetricRegistry metrics = new MetricRegistry(MetricScope.http1Files());

    @TempDir
    Path directory;

    private FileTree tree;
    private long each;
    private FileCache cache;

    @BeforeEach
    void makeCacheForThree() throws IOException {
        FilePolicy policy = new FilePolicy(new StaticFilesFixture(directory).cacheRevalidate(Duration.ofSeconds(1))
                .build());
        tree = new FileTree("/", Root.open(directory, Symlinks.INSIDE), policy);
        each = file("/a").bytes();
        cache = FileCache.ofBytes(3 * each, metrics.sharedShard());
    }

    @AfterEach
    void closeRoot() {
        tree.root().close();
    }

    private CachedFile file(String path) {
        return file(path, CONTENT, 10);
    }

    private CachedFile file(String path, int size, long changedSecondsAgo) {
        FileIdentity identity = identity(size, changedSecondsAgo);
        Representation representation = Representation.of(identity, path, tree.policy(), NOW_MILLIS / 1000);
        return new CachedFile(path, tree, new MemoryFile(representation, new byte[size]), Identities.of(identity),
                new Moment(0,
                        NOW_MILLIS));
    }

    private static FileIdentity identity(long size, long changedSecondsAgo) {
        FileIdentity.Time time = new FileIdentity.Time(NOW_MILLIS / 1000 - changedSecondsAgo, 7);
        return new FileIdentity(1, 2, size, time, time);
    }

    private long count(CacheResult result) {
        return metrics.snapshot().cacheOperations(CacheName.FILE, result);
    }

    @Test
    void keptFileIsFoundAndCountedInBytes() {
        CachedFile a = file("/a");
        cache.keep(a);
        assertThat(cache.find("/a")).isSameAs(a);
        assertThat(cache.find("/b")).isNull();
        assertThat(cache.weight()).isEqualTo(each).isGreaterThan(CONTENT);
        assertThat(metrics.snapshot().cacheBytes(CacheName.FILE)).isEqualTo(each);
    }

    @Test
    void fileThatWasNotUsedGoesFirst() {
        List.of("/a", "/b", "/c").forEach(path -> cache.keep(file(path)));
        cache.find("/a").use();
        cache.keep(file("/d"));
        assertThat(cache.find("/b")).isNull();
        assertThat(cache.find("/a")).isNotNull();
        cache.keep(file("/e"));
        assertThat(cache.find("/c")).isNull();
        assertThat(cache.find("/a")).as("its turn comes after those that came later").isNotNull();
        assertThat(count(CacheResult.EVICTED)).isEqualTo(2);
        assertThat(cache.weight()).isEqualTo(3 * each);
    }

    @Test
    void whenEveryFileWasUsedTheOldestGoes() {
        List.of("/a", "/b", "/c").forEach(path -> {
            cache.keep(file(path));
            cache.find(path).use();
        });
        cache.keep(file("/d"));
        assertThat(cache.find("/a")).isNull();
        assertThat(cache.size()).isEqualTo(3);
    }

    @Test
    void newVersionTakesTheOldOnesPlace() {
        cache.keep(file("/a"));
        CachedFile newer = file("/a", 10, 10);
        cache.keep(newer);
        assertThat(cache.find("/a")).isSameAs(newer);
        assertThat(cache.weight()).isEqualTo(newer.bytes());
        assertThat(count(CacheResult.EVICTED)).isZero();
    }

    @Test
    void fileLargerThanTheWholeCacheIsRejectedAndItsOldVersionForgotten() {
        cache.keep(file("/a"));
        cache.keep(file("/b"));
        cache.keep(file("/a", 100_000, 10));
        assertThat(cache.find("/a")).isNull();
        assertThat(cache.find("/b")).isNotNull();
        assertThat(count(CacheResult.REJECTED)).isEqualTo(1);
        assertThat(cache.weight()).isEqualTo(each);
    }

    @Test
    void onlyTheVersionThatIsMeantIsForgotten() {
        CachedFile old = file("/a");
        cache.keep(old);
        CachedFile newer = file("/a");
        cache.keep(newer);
        cache.forget(old);
        assertThat(cache.find("/a")).isSameAs(newer);
        cache.forget(newer);
        cache.forget(newer);
        assertThat(cache.weight()).isZero();
    }

    @Test
    void clearedCacheHoldsAndCountsNothing() {
        List.of("/a", "/b", "/c").forEach(path -> cache.keep(file(path)));
        cache.clear();
        assertThat(cache.size()).isZero();
        assertThat(cache.weight()).isZero();
        assertThat(metrics.snapshot().cacheBytes(CacheName.FILE)).isZero();
        cache.keep(file("/a"));
        assertThat(cache.find("/a")).isNotNull();
    }

    @Test
    void fileIsFreshForItsTimeAndAgainWhenChecked() {
        CachedFile file = file("/a");
        long second = Duration.ofSeconds(1).toNanos();
        assertThat(file.fresh(second - 1)).isTrue();
        assertThat(file.fresh(second)).isFalse();
        file.checked(5 * second);
        assertThat(file.fresh(6 * second - 1)).isTrue();
        assertThat(file.fresh(6 * second)).isFalse();
    }

    @Test
    void fileThatHadJustChangedWhenItWasReadIsNeverTakenForTheOneOnDisk() {
        assertThat(file("/a", 5, 10).isStill(Identities.of(identity(5, 10)))).isTrue();
        assertThat(file("/a", 5, 10).isStill(Identities.of(identity(5, 9)))).isFalse();
        assertThat(file("/a", 5, 1).isStill(Identities.of(identity(5, 1)))).isFalse();
        assertThat(file("/a", 5, -100).isStill(Identities.of(identity(5, -100)))).as("a time in the future").isFalse();
    }

    /// Any sequence leaves exactly what the entries sum up to, within the limit.
    @Test
    void bytesAreExactWhateverHappens() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            String path = "/" + random.nextInt(8);
            CachedFile held = cache.find(path);
            switch (random.nextInt(4)) {
                case 0, 1 -> cache.keep(file(path, random.nextInt(2 * CONTENT), 10));
                case 2 -> {
                    if (held != null) {
                        held.use();
                    }
                }
                default -> {
                    if (held != null) {
                        cache.forget(held);
                    }
                }
            }
            long sum = 0;
            for (int j = 0; j < 8; j++) {
                CachedFile file = cache.find("/" + j);
                sum += file == null ? 0 : file.bytes();
            }
            assertThat(cache.weight()).as("seed %d step %d", seed, i).isEqualTo(sum).isLessThanOrEqualTo(3 * each);
        }
        assertThat(metrics.snapshot().cacheBytes(CacheName.FILE)).isEqualTo(cache.weight());
    }

    @Test
    void evictionEndsWhileOthersGoOnUsingEveryFile() throws InterruptedException {
        AtomicBoolean done = new AtomicBoolean();
        List<Thread> users = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            users.add(Thread.ofPlatform().start(() -> {
                while (!done.get()) {
                    for (int j = 0; j < 6; j++) {
                        CachedFile file = cache.find("/" + j);
                        if (file != null) {
                            file.use();
                        }
                    }
                }
            }));
        }
        for (int i = 0; i < 5_000; i++) {
            cache.keep(file("/" + i % 6));
        }
        done.set(true);
        for (Thread user : users) {
            user.join();
        }
        assertThat(cache.weight()).isLessThanOrEqualTo(3 * each).isPositive();
    }
}
