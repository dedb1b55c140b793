package io.servery.netty.drain;

import io.netty.util.concurrent.EventExecutor;
import io.servery.core.metric.WorkClass;
import io.servery.http.http1.Http1Connection;
import io.servery.http.http1.LoopResources;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// One drain: connections finish what they are at and close; at the deadline, or when told to hurry, the rest is cut short
/// and counted.
///
/// *Owner:* the thread that runs it, never an event loop; `hurry` may be called by any.
public final class Drain {
    /// The connections of one event loop.
    public record LoopConnections(EventExecutor executor, LoopResources resources) {
    }

    /// How long it may take.
    ///
    /// @param work to complete
    /// @param parting over so long connections are told to end, one after the other; within the first
    /// @param force for connections that were cut to close
    public record Times(Duration work, Duration parting, Duration force) {
    }

    private final List<LoopConnections> loops;
    private final CompletableFuture<Void> hurried = new CompletableFuture<>();

    public Drain(List<LoopConnections> loops) {
        this.loops = List.copyOf(loops);
    }

    /// Cuts short what is still running, now.
    public void hurry() {
        hurried.complete(null);
    }

    /// Drains.
    ///
    /// @param closed completes when the listening sockets are closed
    /// @param idle asked then: completes when no connection is open
    public DrainReport run(CompletableFuture<Void> closed, Supplier<CompletableFuture<Void>> idle, Times times)
            throws InterruptedException {
        long start = System.nanoTime();
        long deadline = start + times.work().toNanos();
        loops.forEach(loop -> loop.executor().execute(() -> {
            loop.resources().drain();
            new Parting(loop.executor(), loop.resources().connections(), times.parting()).run();
        }));
        Map<WorkClass, Integer> forced = Map.of();
        if (!endsBy(closed, hurried, deadline) || !endsBy(idle.get(), hurried, deadline)) {
            long forceDeadline = System.nanoTime() + times.force().toNanos();
            forced = force(forceDeadline);
            endsBy(idle.get(), never(), forceDeadline);
        }
        return new DrainReport(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start), forced);
    }

    /// Once work is cut short there is nothing left to hurry.
    private static CompletableFuture<Void> never() {
        return new CompletableFuture<>();
    }

    /// Whether this ends by then, and before something else makes the waiting end.
    private static boolean endsBy(CompletableFuture<Void> end, CompletableFuture<Void> unless, long deadlineNanos)
            throws InterruptedException {
        CompletableFuture<?> first = CompletableFuture.anyOf(end, unless);
        try {
            first.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return end.isDone();
        } catch (ExecutionException e) {
            throw new IllegalStateException("neither of these can fail", e);
        }
        return end.isDone();
    }

    /// A loop that stands still cannot say what it had: it is not waited for past the deadline.
    private Map<WorkClass, Integer> force(long deadlineNanos) throws InterruptedException {
        List<Future<Map<WorkClass, Integer>>> cuts = loops.stream()
                .map(loop -> loop.executor().submit(() -> forceLoop(loop.resources())))
                .<Future<Map<WorkClass, Integer>>>map(cut -> cut).toList();
        Map<WorkClass, Integer> all = new EnumMap<>(WorkClass.class);
        for (Future<Map<WorkClass, Integer>> cut : cuts) {
            try {
                cut.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS)
                        .forEach((kind, count) -> all.merge(kind, count, Integer::sum));
            } catch (TimeoutException standsStill) {
                cut.cancel(false);
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }
        return all;
    }

    private static Map<WorkClass, Integer> forceLoop(LoopResources resources) {
        Map<WorkClass, Integer> cut = new EnumMap<>(WorkClass.class);
        resources.closeArriving();
        for (Http1Connection connection : resources.connections()) {
            WorkClass kind = connection.force();
            if (kind != null) {
                cut.merge(kind, 1, Integer::sum);
            }
        }
        return cut;
    }
}
