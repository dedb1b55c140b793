package io.servery.supervisor.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.lifecycle.WorkerId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// When an identity that was handed over counts as shown.
class ShowingTest {
    private static final WorkerId ONE = new WorkerId(1, 0, 1);
    private static final WorkerId OTHER = new WorkerId(1, 1, 1);
    private static final WorkerId LATER = new WorkerId(1, 1, 2);

    private final Showing showing = new Showing();

    private CompletableFuture<Void> begin(long number, WorkerId... told) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        showing.begin(number, List.of(told), end);
        return end;
    }

    @Test
    void everyWorkerThatWasToldHasToSaySo() {
        CompletableFuture<Void> end = begin(7, ONE, OTHER);
        showing.shown(ONE, 7);
        showing.shown(OTHER, 6);
        assertThat(end).as("the other said it of what was before").isNotDone();
        assertThat(showing.isSettled()).isFalse();
        showing.shown(OTHER, 7);
        assertThat(end).isCompleted();
        assertThat(showing.isSettled()).isTrue();
    }

    @Test
    void workerThatEndsIsNotWaitedForAndOneHasToShowItAllTheSame() {
        CompletableFuture<Void> end = begin(7, ONE, OTHER);
        showing.shown(ONE, 7);
        showing.gone(OTHER);
        assertThat(end).isCompleted();

        CompletableFuture<Void> second = begin(8, ONE);
        showing.gone(ONE);
        assertThat(second).as("nobody shows it").isNotDone();
        showing.shown(LATER, 8);
        assertThat(second).as("it was given to the next before it prepared").isCompleted();
    }

    @Test
    void whatIsHandedOverNextEndsWhatWasBeforeAndARefusalDoesToo() {
        CompletableFuture<Void> first = begin(7, ONE);
        CompletableFuture<Void> second = begin(8, ONE);
        assertThat(first).isCompletedExceptionally();
        showing.fail("worker 1.0.1: tls: it is no certificate");
        assertThat(second).isCompletedExceptionally();
        showing.shown(ONE, 8);
        assertThat(second).isCompletedExceptionally();
    }
}
