package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Small files that are looked at again at each request, beside listings of a directory with a view each that keep the compute lane full: what holds on any machine
/// however busy.
@Isolated
class ListingLoadTest {
    private static final int QUEUE = 4;
    /// Of two threads one lists.
    private static final int PLACES = 1 + QUEUE;
    private static final int ASKING = PLACES + 4;
    private static final int ENTRIES = 500;
    private static final int LOOKS = 15;
    private static final int SMALL_EACH_LOOK = 20;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    Path folder;

    private ServeryProcess server;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger listed = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final List<Thread> asking = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        Site site = Site.generate(folder.resolve("site"));
        Path many = Files.createDirectory(site.path("many"));
        for (int i = 0; i < ENTRIES; i++) {
            Files.createFile(many.resolve("name-" + i));
        }
        server = ServeryProcess.start(ServeryProcess.Settings.of(folder, site.root())
                .files("cache_revalidate = \"0s\"")
                .more("[resources.lanes.compute]\nthreads = 2\nqueue = %d\nbytes = \"256MiB\"\n".formatted(QUEUE)));
    }

    @AfterEach
    void stop() {
        over.set(true);
        server.close();
    }

    /// A view that no other request has. The threads that list give way to all else on the machine.
    private Answer listing(WireConnection connection) {
        return answer(connection, "/many/?q=name&page=" + asked.incrementAndGet());
    }

    private Answer answer(WireConnection connection, String target) {
        Heard heard = connection.get(target).hear(PATIENCE);
        assertThat(heard).as(() -> WireConnection.describe(heard) + " of " + server.errorText())
                .isInstanceOf(Answer.class);
        return (Answer) heard;
    }

    private void askForListings() {
        for (int i = 0; i < ASKING; i++) {
            asking.add(Thread.ofPlatform().start(() -> {
                try (WireConnection connection = server.connect()) {
                    while (!over.get()) {
                        count(listing(connection));
                    }
                } catch (Throwable failure) {
                    failures.add(failure);
                }
            }));
        }
    }

    private void count(Answer answer) {
        if (answer.status() == 200) {
            // All of them, but for a machine so busy that the time for one listing is over before.
            assertThat(answer.text()).contains("Index of /many/");
            listed.incrementAndGet();
        } else {
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.value("Retry-After")).isEqualTo("1");
            assertThat(answer.value("Servery-Reason")).isEqualTo("expensive_work_capacity");
            refused.incrementAndGet();
        }
    }

    private double queued(String lane) {
        return server.metric("servery_queue_depth{queue=\"" + lane + "\"}");
    }

    private double retained() {
        return server.metric("servery_lane_bytes{lane=\"compute\"}");
    }

    @Test
    void smallFilesGoOnBesideListingsThatFillTheirLaneWhichRecovers() throws Exception {
        int before = server.worker().descriptors();
        askForListings();
        Awaitility.await("a full queue").atMost(PATIENCE)
                .until(() -> queued("compute") == QUEUE || !failures.isEmpty());
        assertThat(failures).isEmpty();
        int saturated = 0;
        double most = 0;
        try (WireConnection connection = server.connect()) {
            for (int look = 0; look < LOOKS; look++) {
                for (int i = 0; i < SMALL_EACH_LOOK; i++) {
                    assertThat(answer(connection, "/1k.txt").status()).isEqualTo(200);
                }
                double queued = queued("compute");
                assertThat(queued).isLessThanOrEqualTo(QUEUE);
                saturated += queued == QUEUE ? 1 : 0;
                most = Math.max(most, retained());
                assertThat(server.worker().descriptorsOf(folder.resolve("site/many").toString()))
                        .as("directories of what is outstanding, and one that is handed over or refused by each thread of the filesystem lane")
                        .isLessThanOrEqualTo(PLACES + 4);
            }
        }
        Awaitility.await("listings and refusals").atMost(PATIENCE)
                .until(() -> listed.get() >= PLACES && refused.get() > 0 || !failures.isEmpty());
        over.set(true);
        for (Thread thread : asking) {
            assertThat(thread.join(PATIENCE)).isTrue();
        }
        assertThat(failures).isEmpty();
        assertThat(saturated).as("looks that found every place taken").isPositive();
        assertThat(most).isBetween(1.0, PLACES * 7.0 * (1 << 20));
        recovered(before);
    }

    /// What was refused for want of room gets it again, and no directory is left open.
    private void recovered(int descriptors) {
        Awaitility.await("an empty lane").atMost(PATIENCE).until(() -> retained() == 0 && queued("compute") == 0);
        try (WireConnection connection = server.connect()) {
            for (int i = 0; i < PLACES; i++) {
                assertThat(listing(connection).status()).isEqualTo(200);
            }
        }
        Awaitility.await("descriptors given back").atMost(PATIENCE)
                .until(() -> server.worker().descriptors() <= descriptors + 1);
        assertThat(server.worker().descriptorsOf(folder.resolve("site/many").toString())).isZero();
        assertThat(server.errorText()).doesNotContain("runtime.bug");
    }
}
