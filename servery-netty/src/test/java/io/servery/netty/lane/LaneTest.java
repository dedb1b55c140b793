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
        assertThat(lane.snapshot()).isEqualTo(new LaneSnapshot(THREADS, QUEUE, 0));
        assertThat(lane).hasToString("test: 2 running, 3 waiting, 0 bytes");
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
    void workOfAShareLeavesTheOtherThreadsToOtherWork() {
        Lane.Share share = new Lane.Share(1);
        CountDownLatch ofOther = new CountDownLatch(1);
        Held first = new Held();
        Held second = new Held();
        Held other = new Held(ofOther);
        Held next = new Held();
        assertThat(lane.offer(first, 0, share) && lane.offer(second, 0, share)).isTrue();
        assertThat(lane.snapshot()).as("one waits beside a free thread").isEqualTo(new LaneSnapshot(1, 1, 0));

        assertThat(lane.offer(other) && lane.offer(next)).isTrue();

        await().untilAsserted(() -> assertThat(other.runs).hasValue(1));
        ofOther.countDown();
        await().untilAsserted(() -> assertThat(next.runs).as("passes by").hasValue(1));
        assertThat(second.runs).hasValue(0);
        gate.countDown();
        await().untilAsserted(() -> assertThat(second.runs).hasValue(1));
        assertThat(waiting).hasValue(0);
    }

    @Test
    void workOfAShareIsPassedByOnlyWhileItsShareIsInUse() throws InterruptedException {
        Lane.Share share = new Lane.Share(1);
        CountDownLatch ofShare = new CountDownLatch(1);
        Held other = new Held();
        List<Held> all = List.of(new Held(ofShare), other, new Held(), new Held());
        assertThat(lane.offer(all.get(0), 0, share) && lane.offer(other)).isTrue();
        assertThat(lane.offer(all.get(2), 0, share) && lane.offer(all.get(3))).isTrue();
        ofShare.countDown();
        await().untilAsserted(() -> assertThat(all.get(2).runs).as("what came first").hasValue(1));
        assertThat(all.get(3).runs).hasValue(0);
    }

    @Test
    void queueBoundsWorkThatWaitsForItsShareToo() {
        Lane.Share share = new Lane.Share(1);
        for (int i = 0; i < 1 + QUEUE; i++) {
            assertThat(lane.offer(new Held(), 0, share)).isTrue();
        }
        assertThat(lane.offer(new Held(), 0, share)).isFalse();
        assertThat(lane.offer(new Held())).as("a thread is free for it").isTrue();
        assertThat(lane.offer(new Held())).isFalse();
    }

    @Test
    void shareWithoutAThreadIsABug() {
        assertThatThrownBy(() -> new Lane.Share(0)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one");
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
        private final CountDownLatch until;

        Held() {
            this(gate);
        }

        Held(CountDownLatch until) {
            this.until = until;
        }

        @Override
        public void run() {
            runs.incrementAndGet();
            try {
                until.await();
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
