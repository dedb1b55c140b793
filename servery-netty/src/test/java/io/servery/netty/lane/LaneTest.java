package io.servery.netty.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LaneTest {
    private static final int THREADS = 2;
    private static final int QUEUE = 3;

    private final List<Throwable> bugs = new CopyOnWriteArrayList<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final Lane lane = new Lane("test", new Lane.Bounds(THREADS, QUEUE), new Lane.QueueObserver() {
        @Override
        public void entered() {
            waiting.incrementAndGet();
        }

        @Override
        public void left() {
            waiting.decrementAndGet();
        }
    }, bugs::add);
    private final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void openGateAndClose() {
        gate.countDown();
        lane.close();
    }

    @Test
    void admitsExactlyThreadsPlusQueueFromManyThreadsAtOnce() throws InterruptedException {
        AtomicInteger admitted = new AtomicInteger();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            callers.add(Thread.ofPlatform().start(() -> {
                for (int j = 0; j < 50; j++) {
                    if (lane.offer(new Held())) {
                        admitted.incrementAndGet();
                    }
                }
            }));
        }
        for (Thread caller : callers) {
            caller.join();
        }

        assertThat(admitted).hasValue(THREADS + QUEUE);
        await().untilAsserted(() -> assertThat(lane.snapshot())
                .isEqualTo(new LaneSnapshot(THREADS, QUEUE, QUEUE, 0, 16 * 50 - THREADS - QUEUE)));
        assertThat(waiting).hasValue(QUEUE);
    }

    @Test
    void rejectedWorkIsNeitherRunNorDiscarded() {
        fill();
        Held rejected = new Held();

        assertThat(lane.offer(rejected)).isFalse();

        gate.countDown();
        await().untilAsserted(() -> assertThat(lane.snapshot().active()).isZero());
        lane.close();
        assertThat(rejected.runs).hasValue(0);
        assertThat(rejected.discards).hasValue(0);
    }

    @Test
    void bytesAreChargedFromAdmissionToTheEndOfTheWork() {
        AtomicInteger charged = new AtomicInteger();
        Lane.QueueObserver gauge = new Lane.QueueObserver() {
            @Override
            public void entered() {
                // Not looked at here.
            }

            @Override
            public void left() {
                // Not looked at here.
            }

            @Override
            public void charged(long delta) {
                charged.addAndGet((int) delta);
            }
        };
        try (Lane counted = new Lane("charged", new Lane.Bounds(1, 8, 100), gauge, bugs::add)) {
            assertThat(counted.offer(new Held(), 60)).isTrue();
            assertThat(counted.offer(new Held(), 41)).isFalse();
            assertThat(counted.offer(new Held(), 40)).isTrue();
            assertThat(counted.offer(new Held(), 1)).isFalse();
            assertThat(counted.snapshot().bytes()).isEqualTo(100);
            assertThat(charged).hasValue(100);
            gate.countDown();
            await().untilAsserted(() -> assertThat(counted.snapshot().bytes()).isZero());
            assertThat(charged).hasValue(0);
            assertThat(counted.offer(new Held(), 100)).isTrue();
        }
    }

    @Test
    void closingGivesBackWhatWaitingWorkWasCharged() throws InterruptedException {
        Lane counted = new Lane("charged", new Lane.Bounds(1, 8, 100), Lane.QueueObserver.NONE, bugs::add);
        assertThat(counted.offer(new Held(), 10)).isTrue();
        await().until(() -> counted.snapshot().active() == 1);
        assertThat(counted.offer(new Held(), 50)).isTrue();
        counted.close();
        assertThat(counted.snapshot().bytes()).isLessThanOrEqualTo(10);
        gate.countDown();
        assertThat(counted.awaitEnd(Duration.ofSeconds(10))).isTrue();
        assertThat(counted.snapshot().bytes()).isZero();
    }

    @Test
    void capacityComesBackWhenWorkEndsAndNotBefore() {
        fill();
        assertThat(lane.offer(new Held())).isFalse();

        gate.countDown();

        await().untilAsserted(() -> assertThat(lane.snapshot()).extracting(LaneSnapshot::active, LaneSnapshot::queued)
                .containsExactly(0, 0));
        assertThat(lane.offer(new Held())).isTrue();
        assertThat(waiting).as("a thread was free for it").hasValue(0);
    }

    @Test
    void queueOfZeroAdmitsOnlyWhatAThreadIsFreeFor() {
        try (Lane narrow = new Lane("narrow", new Lane.Bounds(1, 0), Lane.QueueObserver.NONE, bugs::add)) {
            assertThat(narrow.offer(new Held())).isTrue();
            assertThat(narrow.offer(new Held())).isFalse();
            gate.countDown();
            await().until(() -> narrow.offer(new Held()));
        }
    }

    @Test
    void resultThatNobodyTakesIsDisposedOfOnceAndOnItsThread() throws InterruptedException {
        List<String> disposed = new CopyOnWriteArrayList<>();
        AtomicReference<Thread> disposer = new AtomicReference<>();
        assertThat(lane.offer(() -> "late", result -> false, result -> {
            disposed.add(result);
            disposer.set(Thread.currentThread());
        }, () -> disposed.add("discarded"))).isTrue();

        await().untilAsserted(() -> assertThat(disposed).containsExactly("late"));
        assertThat(disposer.get().getName()).startsWith("test-");
    }

    @Test
    void resultIsDisposedOfWhenItsDeliveryThrows() {
        List<String> disposed = new CopyOnWriteArrayList<>();
        lane.offer(() -> "result", result -> {
            throw new IllegalStateException("delivery");
        }, disposed::add, () -> {
        });

        await().untilAsserted(() -> assertThat(disposed).containsExactly("result"));
        await().untilAsserted(() -> assertThat(bugs).singleElement().satisfies(bug -> assertThat(bug).hasMessage(
                "delivery")));
    }

    @Test
    void resultThatIsTakenIsNotDisposedOf() {
        List<String> taken = new CopyOnWriteArrayList<>();
        List<String> disposed = new CopyOnWriteArrayList<>();
        lane.offer(() -> "result", taken::add, disposed::add, () -> {
        });

        await().untilAsserted(() -> assertThat(taken).containsExactly("result"));
        await().untilAsserted(() -> assertThat(lane.snapshot().active()).isZero());
        assertThat(disposed).isEmpty();
    }

    @Test
    void workThatThrowsIsReportedAndCostsNoThread() {
        for (int i = 0; i < 3 * THREADS; i++) {
            await().until(() -> lane.offer(new Work() {
                @Override
                public void run() {
                    throw new AssertionError("bug");
                }

                @Override
                public void discard() {
                    // Not reached.
                }
            }));
        }

        await().untilAsserted(() -> assertThat(bugs).hasSize(3 * THREADS));
        await().untilAsserted(() -> assertThat(lane.snapshot().active()).isZero());
        fill();
    }

    @Test
    void closeDiscardsWhatWaitsOnceAndLetsWhatRunsEnd() throws InterruptedException {
        List<Held> all = fill();

        lane.close();
        lane.close();

        assertThat(all.stream().mapToInt(work -> work.discards.get()).sum()).isEqualTo(QUEUE);
        assertThat(all).allSatisfy(work -> assertThat(work.runs.get() + work.discards.get()).isEqualTo(1));
        assertThat(waiting).hasValue(0);
        assertThat(lane.awaitEnd(Duration.ofMillis(20))).isFalse();
        gate.countDown();
        assertThat(lane.awaitEnd(Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void longWorkLearnsThatTheLaneIsClosed() {
        assertThat(lane.closed()).isFalse();
        lane.close();
        assertThat(lane.closed()).isTrue();
    }

    @Test
    void closedLaneAdmitsNothing() {
        lane.close();
        Held late = new Held();

        assertThat(lane.offer(late)).isFalse();
        assertThat(late.runs.get() + late.discards.get()).isZero();
        assertThat(lane.snapshot().rejected()).isEqualTo(1);
    }

    @Test
    void boundsWithoutAThreadAreABug() {
        assertThatThrownBy(() -> new Lane.Bounds(0, 1)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one thread");
    }

    /// Fills threads and queue, and waits until the threads have begun.
    private List<Held> fill() {
        List<Held> all = new ArrayList<>();
        for (int i = 0; i < THREADS + QUEUE; i++) {
            Held work = new Held();
            all.add(work);
            assertThat(lane.offer(work)).isTrue();
        }
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1))
                .until(() -> all.stream().mapToInt(work -> work.runs.get()).sum() == THREADS);
        assertThat(lane.snapshot()).extracting(LaneSnapshot::active, LaneSnapshot::queued)
                .containsExactly(THREADS, QUEUE);
        return all;
    }

    /// Runs until the gate opens.
    private final class Held implements Work {
        private final AtomicInteger runs = new AtomicInteger();
        private final AtomicInteger discards = new AtomicInteger();

        @Override
        public void run() {
            runs.incrementAndGet();
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void discard() {
            discards.incrementAndGet();
        }
    }
}
