package io.servery.netty.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.servery.http.exchange.Refusal;
import io.servery.netty.lane.Lane;
import io.servery.netty.lane.LaneSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Directories are opened on the filesystem lane and listed on the compute lane: what becomes of both where that is full, slow, closed, or nobody waits any more.
class ListingLaneTest {
    private static final int ERRNO_EIO = 5;
    private static final int THREADS = 2;
    private static final int QUEUE = 3;
    /// Of the threads one lists, and what waits is all listings.
    private static final int LISTINGS_MAX = 1 + QUEUE;
    /// One kibibyte, as what is asked for most.
    private static final String SMALL = "s".repeat(1024);
    private static final String TEXT = "words ".repeat(500);

    @TempDir
    Path temporary;

    private final CountDownLatch gate = new CountDownLatch(1);
    /// Counts the reads of directories that have begun.
    private final Semaphore reading = new Semaphore(0);
    private ServedFiles served;

    @BeforeEach
    void makeFiles() throws IOException {
        long bytes = (THREADS + QUEUE) * Listing.bytesMax("/dir/", ListingView.DEFAULT) + 1024 * 1024;
        served = new ServedFiles(temporary, new Lane.Bounds(1, 64), new Lane.Bounds(THREADS, QUEUE, bytes));
        served.write("small.bin", SMALL);
        served.write("text.txt", TEXT);
        served.write("dir/a.txt", "1");
        served.write("dir/b.txt", "1");
        served.time.advance(Duration.ofSeconds(5));
    }

    @AfterEach
    void openTheGateAndFindNothingLeft() throws Exception {
        gate.countDown();
        served.close();
    }

    private StaticFilesFixture listing() {
        return new StaticFilesFixture(served.root).listing();
    }

    private void serve(StaticFilesFixture files) throws IOException {
        served.serve(files, 64 * 1024);
    }

    private static ConditionFactory soon() {
        return await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1));
    }

    /// Every directory that is read from now on is on a disk that does not answer.
    private void hang() {
        served.calls.before("getdents", () -> {
            reading.release();
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /// As many distinct listings as there is room for, of which one is being read.
    private List<TestExchange> saturate() throws Exception {
        // A place is held until the work has really ended, a moment after its answer.
        soon().until(() -> served.compute.snapshot().queued() == 0 && served.compute.snapshot().bytes() == 0);
        hang();
        List<TestExchange> asking = new ArrayList<>();
        for (int i = 0; i < LISTINGS_MAX; i++) {
            asking.add(served.send("/dir/?q=" + i));
        }
        soon().until(() -> served.compute.snapshot().queued() == QUEUE);
        assertThat(reading.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        return asking;
    }

    @Test
    void smallFilesAreLookedAtAgainWhileDistinctListingsFillTheirLane() throws Exception {
        serve(listing());
        List<TestExchange> asking = saturate();
        for (int second = 0; second < 5; second++) {
            for (int i = 0; i < 10; i++) {
                assertThat(served.get("/small.bin").text()).isEqualTo(SMALL);
            }
            TestExchange beyond = served.send("/dir/?q=beyond" + second);
            assertThat(beyond.answer().status()).isEqualTo(503);
            assertThat(served.compute.snapshot().active() + served.compute.snapshot().queued()).isEqualTo(LISTINGS_MAX);
            // The file is due.
            served.time.advance(Duration.ofSeconds(1));
        }
        assertThat(asking).noneMatch(TestExchange::answered);
        gate.countDown();
        for (TestExchange exchange : asking) {
            assertThat(exchange.answer().status()).isEqualTo(200);
        }
    }

    @Test
    void listingBeyondTheLaneIsRefusedWithItsReasonAndItsDirectoryClosed() throws Exception {
        serve(listing());
        saturate();
        for (int i = 0; i < 20; i++) {
            TestExchange exchange = served.send("/dir/?q=beyond" + i);
            Emitted refused = exchange.answer();
            assertThat(exchange.refusal()).isEqualTo(Refusal.EXPENSIVE_WORK_FULL);
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.field("Retry-After")).isEqualTo("1");
            assertThat(refused.field("Servery-Reason")).isEqualTo("expensive_work_capacity");
        }
        assertThat(served.open()).as("of those that wait").isEqualTo(LISTINGS_MAX);
    }

    @Test
    void listingsAreChargedForWhatTheyTakeWherever() throws Exception {
        serve(listing());
        hang();
        TestExchange exchange = served.send("/dir/?q=a");
        ListingView view = new ListingView(ListingView.Form.HTML, ListingView.Sort.NAME, false, "a", 1);
        soon().until(() -> served.compute.snapshot()
                .equals(new LaneSnapshot(1, 0, Listing.bytesMax("/dir/", view))));
        gate.countDown();
        assertThat(exchange.answer().status()).isEqualTo(200);
        soon().until(() -> served.compute.snapshot().bytes() == 0);
    }

    @Test
    void runningWorkOfARequesterThatIsGoneHoldsItsPlaceUntilItEnds() throws Exception {
        serve(listing());
        List<TestExchange> gone = saturate();
        gone.forEach(TestExchange::cancel);
        assertThat(served.get("/dir/?q=other").status()).isEqualTo(503);
        assertThat(served.compute.snapshot().active() + served.compute.snapshot().queued()).isEqualTo(LISTINGS_MAX);
        assertThat(served.open()).isEqualTo(LISTINGS_MAX);

        gate.countDown();

        soon().until(() -> served.compute.snapshot().equals(new LaneSnapshot(0, 0, 0)));
        assertThat(served.open()).isZero();
        served.turn();
        assertThat(gone).noneMatch(TestExchange::answered);
        assertThat(served.get("/dir/?q=other").status()).isEqualTo(200);
    }

    @Test
    void equalListingsAreReadOnce() throws Exception {
        serve(listing());
        hang();
        List<TestExchange> asking = new ArrayList<>();
        asking.add(served.send("/dir/?q=a"));
        assertThat(reading.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 20; i++) {
            asking.add(served.send("/dir/?q=a&utm=" + i));
        }
        served.turn();
        assertThat(served.compute.snapshot()).extracting(LaneSnapshot::active, LaneSnapshot::queued)
                .containsExactly(1, 0);
        assertThat(served.open()).isEqualTo(1);
        gate.countDown();
        for (TestExchange exchange : asking) {
            assertThat(exchange.answer().text()).contains("a.txt").doesNotContain("b.txt");
        }
    }

    @Test
    void listingThatIsFreshNeedsNoComputeLane() throws Exception {
        serve(listing());
        String before = served.get("/dir/").text();
        saturate();
        assertThat(served.get("/dir/").text()).isEqualTo(before);
        served.time.advance(Duration.ofSeconds(1));
        assertThat(served.get("/dir/").status()).isEqualTo(503);
    }

    @Test
    void listingsLeaveAThreadToCompressing() throws Exception {
        serve(listing().compress());
        hang();
        List<TestExchange> asking = List.of(served.send("/dir/?q=a"), served.send("/dir/?q=b"));
        soon().until(() -> served.compute.snapshot().queued() == 1);
        assertThat(served.get("/text.txt", "Accept-Encoding: gzip").field("Content-Encoding")).isEqualTo("gzip");
        assertThat(asking).noneMatch(TestExchange::answered);
    }

    @Test
    void compressingIsLeftOutWhereListingsFillTheQueue() throws Exception {
        serve(listing().compress());
        for (int i = 0; i < THREADS - 1; i++) {
            assertThat(served.compute.offer(new GatedWork(gate))).isTrue();
        }
        saturate();
        assertThat(served.get("/text.txt", "Accept-Encoding: gzip").text()).isEqualTo(TEXT);
    }

    @Test
    void closedComputeLaneGivesBackWhatWaits() throws Exception {
        serve(listing());
        List<TestExchange> asking = saturate();
        served.compute.close();
        for (TestExchange exchange : asking.subList(1, LISTINGS_MAX)) {
            assertThat(exchange.answer().status()).isEqualTo(503);
            assertThat(exchange.refusal()).isEqualTo(Refusal.DRAINING);
        }
        assertThat(served.open()).as("of the one that runs").isEqualTo(1);
        gate.countDown();
        assertThat(asking.getFirst().answer().status()).isEqualTo(200);
    }

    @Test
    void loopThatIsGoneLeavesNoDirectoryOpen() throws Exception {
        serve(listing());
        saturate();
        served.endLoop();
        gate.countDown();
        soon().until(() -> served.compute.snapshot().equals(new LaneSnapshot(0, 0, 0)));
        assertThat(served.open()).isZero();
    }

    @Test
    void bugWhileADirectoryIsReadIsToldToEveryoneAboard() throws Exception {
        serve(listing());
        served.calls.before("getdents", () -> {
            throw new IllegalStateException("bug");
        });
        TestExchange exchange = served.send("/dir/");
        assertThat(exchange.answer().status()).isEqualTo(500);
        assertThat(exchange.refusal()).isEqualTo(Refusal.INTERNAL_ERROR);
        soon().untilAsserted(() -> assertThat(served.bugs).singleElement()
                .satisfies(bug -> assertThat(bug).hasMessage("bug")));
        assertThat(served.open()).isZero();
        served.bugs.clear();
    }

    @Test
    void directoryThatCannotBeReadGetsTheOperatorsPage() throws Exception {
        served.write("500.html", "broken");
        serve(listing().errorPages(Map.of(500, "500.html")));
        served.calls.fail("getdents", ERRNO_EIO);
        Emitted refused = served.get("/dir/");
        assertThat(refused.status()).isEqualTo(500);
        assertThat(refused.text()).isEqualTo("broken");
    }

    @Test
    void directoryInThePlaceOfAPageIsClosed() throws Exception {
        Files.createDirectories(served.root.resolve("404.html"));
        serve(listing().spa().errorPages(Map.of(404, "404.html")));
        assertThat(served.get("/orders/17", "Accept: text/html").status()).isEqualTo(404);
        assertThat(served.open()).isZero();
    }

    /// Two ask for a file that is not kept; it is gone when it is opened for the second.
    @Test
    void directoryWithoutItsIndexIsNotListedForWhoWaitedForThat() throws Exception {
        served.write("dir/index.html", "i".repeat(2000));
        served.serve(listing().withoutPrecompressed(), 0);
        CountDownLatch aboard = new CountDownLatch(1);
        AtomicInteger opened = new AtomicInteger();
        served.calls.before("openat2", () -> {
            try {
                aboard.await();
                if (opened.incrementAndGet() == 2) {
                    Files.delete(served.root.resolve("dir/index.html"));
                }
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        List<TestExchange> asking = List.of(served.send("/dir/"), served.send("/dir/"));
        served.turn();
        aboard.countDown();
        assertThat(asking.get(0).answer().text()).hasSize(2000);
        assertThat(asking.get(1).answer().status()).isEqualTo(404);
        assertThat(served.get("/dir/").text()).contains("a.txt");
    }

    @Test
    void laneWithFewerBytesThanAListingTakesListsOneAtATime() throws Exception {
        served.close();
        served = new ServedFiles(Files.createDirectory(temporary.resolve("narrow")), new Lane.Bounds(1, 64),
                new Lane.Bounds(THREADS, QUEUE, 1024));
        served.write("dir/a.txt", "1");
        served.serve(listing(), 0);
        assertThat(served.get("/dir/").text()).contains("a.txt");
        soon().until(() -> served.compute.snapshot().bytes() == 0);
        hang();
        TestExchange first = served.send("/dir/?q=a");
        assertThat(reading.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        assertThat(served.get("/dir/?q=b").status()).isEqualTo(503);
        gate.countDown();
        assertThat(first.answer().status()).isEqualTo(200);
    }
}
