package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Small files beside distinct large compressions that keep the compute lane full: the short form of `bench/run mixed`, for
/// what holds on any machine however busy. Rates and latencies are for the benchmark: while clients of plain bytes keep the
/// processors busy, the lane, which gives way to them, may take long for a form (ADR 13), and all of them are there once the others leave.
@Isolated
class MixedLoadTest {
    private static final int THREADS = 2;
    private static final int QUEUE = 4;
    private static final int PLACES = THREADS + QUEUE;
    private static final int ASKING = PLACES + 4;
    private static final int FILES_EACH = 4;
    private static final int FILE_BYTES = 300_000;
    private static final int LOOKS = 15;
    private static final int SMALL_EACH_LOOK = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration PATIENCE_WITH_THE_LANE = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    private ServeryProcess server;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger coded = new AtomicInteger();
    private final AtomicInteger plain = new AtomicInteger();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final List<Thread> asking = new ArrayList<>();

    /// Nothing that was made is kept, so that all that is asked for goes to the lane; all files are of one size, so that
    /// what the lane is charged says how much work is outstanding.
    @BeforeEach
    void start() throws IOException {
        Site site = Site.generate(folder.resolve("site"));
        Random random = new Random(16);
        for (int i = 0; i < ASKING * FILES_EACH; i++) {
            StringBuilder text = new StringBuilder(FILE_BYTES + 8);
            while (text.length() < FILE_BYTES) {
                text.append(Integer.toString(random.nextInt(1 << 20), 36)).append(' ');
            }
            site.put("distinct/" + i + ".txt", text.substring(0, FILE_BYTES));
        }
        server = ServeryProcess.start(ServeryProcess.Settings.of(folder, site.root())
                .resources("compression_cache_bytes = 0")
                .more("[resources.lanes.compute]\nthreads = %d\nqueue = %d\n".formatted(THREADS, QUEUE)));
    }

    @AfterEach
    void stop() {
        over.set(true);
        server.close();
    }

    private static String request(int file) {
        return "GET /distinct/" + file + ".txt HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: br\r\n\r\n";
    }

    private void askForLargeFiles() {
        for (int i = 0; i < ASKING; i++) {
            int first = i * FILES_EACH;
            asking.add(Thread.ofPlatform().start(() -> {
                try (WireConnection connection = server.connect()) {
                    for (int at = 0; !over.get(); at++) {
                        count(connection.send(request(first + at % FILES_EACH)).answer(PATIENCE_WITH_THE_LANE));
                    }
                } catch (Throwable failure) {
                    failures.add(failure);
                }
            }));
        }
    }

    private void count(Answer answer) {
        assertThat(answer.status()).isEqualTo(200);
        if (answer.value("Content-Encoding").equals("br")) {
            coded.incrementAndGet();
        } else {
            assertThat(answer.body()).hasSize(FILE_BYTES);
            plain.incrementAndGet();
        }
    }

    private double queued() {
        return server.metric("servery_queue_depth{queue=\"compute\"}");
    }

    private double outstanding() {
        return server.metric("servery_lane_bytes{lane=\"compute\"}") / (2.0 * FILE_BYTES);
    }

    @Test
    void smallFilesGoOnBesideAFullComputeLaneWhichRecovers() throws Exception {
        askForLargeFiles();
        Awaitility.await("a full queue").atMost(PATIENCE).until(() -> queued() == QUEUE);
        int saturated = 0;
        try (WireConnection connection = server.connect()) {
            for (int look = 0; look < LOOKS; look++) {
                for (int i = 0; i < SMALL_EACH_LOOK; i++) {
                    assertThat(connection.get("/1k.txt").answer().status()).isEqualTo(200);
                }
                assertThat(queued()).isLessThanOrEqualTo(QUEUE);
                double work = outstanding();
                assertThat(work).isLessThanOrEqualTo(PLACES);
                saturated += work == PLACES ? 1 : 0;
            }
        }
        Awaitility.await("plain answers").atMost(PATIENCE).until(() -> plain.get() > 0 || !failures.isEmpty());
        over.set(true);
        for (Thread thread : asking) {
            assertThat(thread.join(PATIENCE_WITH_THE_LANE)).isTrue();
        }
        assertThat(failures).isEmpty();
        assertThat(coded.get()).as("forms").isGreaterThanOrEqualTo(PLACES);
        assertThat(saturated).as("looks that found every place taken").isPositive();
        // A form that was made is not kept either, which counts once its file is two seconds old.
        Awaitility.await("counters of all threads").atMost(PATIENCE).untilAsserted(() -> assertThat(
                server.metric("servery_cache_operations_total{cache=\"compression\",result=\"rejected\"}"))
                .as("plain for want of room in the lane").isBetween((double) plain.get(),
                        (double) plain.get() + coded.get()));
        recovered();
    }

    /// What was refused for want of room gets it again.
    private void recovered() {
        Awaitility.await("an empty lane").atMost(PATIENCE).until(() -> outstanding() == 0 && queued() == 0);
        try (WireConnection connection = server.connect()) {
            for (int i = 0; i < PLACES; i++) {
                assertThat(connection.send(request(i)).answer().value("Content-Encoding")).isEqualTo("br");
            }
        }
    }
}
