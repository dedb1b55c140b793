package io.servery.acme.order;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Whether an attempt is to end, and the only way in which it waits.
///
/// *Owner*: the thread of ACME waits; any thread cancels.
final class Cancellation {
    private final CompletableFuture<Void> signal = new CompletableFuture<>();

    void cancel() {
        signal.complete(null);
    }

    boolean isCancelled() {
        return signal.isDone();
    }

    void check() throws CancelledException {
        if (isCancelled()) {
            throw new CancelledException();
        }
    }

    /// @throws ExecutionException if the future completes exceptionally
    /// @throws TimeoutException if it does not complete in time
    <T> T await(CompletableFuture<T> future, Duration limit)
            throws CancelledException, ExecutionException, TimeoutException {
        try {
            CompletableFuture.anyOf(future, signal).get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException ends) {
            Thread.currentThread().interrupt();
            throw new CancelledException();
        }
        check();
        return future.resultNow();
    }

    void pause(Duration time) throws CancelledException {
        try {
            signal.get(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException over) {
            return;
        } catch (InterruptedException ends) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException impossible) {
            throw new AssertionError("it is never completed exceptionally", impossible);
        }
        throw new CancelledException();
    }
}
