package io.servery.netty.observe;

import io.netty.util.concurrent.EventExecutor;
import io.servery.core.metric.LogDropReason;
import io.servery.core.metric.LogSink;
import io.servery.core.metric.MetricShard;
import io.servery.core.reason.Reason;
import io.servery.http.exchange.CompletionListener;
import io.servery.http.exchange.Exchange;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The access log: event loops gather lines, one thread writes them, so a slow reader of standard output delays no
/// request. Batches and bytes on the way are bounded; a batch past the bound is dropped and its records are counted.
///
/// *Owner:* `forLoop` listeners belong to their event loop; the rest may be called from any thread.
public final class AccessLog {
    private static final int BATCH_BYTES = 16 * 1024;
    /// PIPE_BUF, which no record exceeds.
    private static final int WRITE_BYTES_MAX = AccessLine.RECORD_BYTES_MAX;
    private static final int BATCHES_MAX = 1024;
    private static final long BYTES_MAX = 8L * 1024 * 1024;
    private static final long HAND_OVER_MILLIS = 20;
    /// No batch of lines is empty.
    private static final byte[] END = new byte[0];

    private final OutputStream out;
    private final MetricShard shard;
    private final ArrayBlockingQueue<byte[]> batches = new ArrayBlockingQueue<>(BATCHES_MAX);
    private final AtomicLong bytesQueued = new AtomicLong();
    private final Thread writer;
    /// Whether the last batch may be out in part. *Owner:* the writing thread.
    private boolean torn;

    /// Starts the writing thread.
    ///
    /// @param shard counts what is dropped; shared by all threads
    public AccessLog(OutputStream out, MetricShard shard) {
        this.out = out;
        this.shard = shard;
        this.writer = Thread.ofPlatform().name("servery-access-log").daemon().start(this::write);
    }

    /// The listener of one event loop.
    public CompletionListener forLoop(EventExecutor executor) {
        return new LoopLines(executor);
    }

    /// Writes what is queued, waiting no longer than this, and ends. Call it when the event loops have ended.
    public boolean close(long patienceNanos) throws InterruptedException {
        long deadline = System.nanoTime() + patienceNanos;
        if (!batches.offer(END, patienceNanos, TimeUnit.NANOSECONDS)) {
            return false;
        }
        writer.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
        return !writer.isAlive();
    }

    private void offer(byte[] batch, int records) {
        if (bytesQueued.addAndGet(batch.length) > BYTES_MAX || !batches.offer(batch)) {
            bytesQueued.addAndGet(-batch.length);
            shard.logDropped(LogSink.ACCESS, LogDropReason.QUEUE_CAPACITY, records);
        }
    }

    private void write() {
        try {
            for (byte[] batch = batches.take(); batch.length > 0; batch = batches.take()) {
                writeBatch(batch);
                bytesQueued.addAndGet(-batch.length);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// A batch that cannot be written is dropped and counted. The next one is tried again: a full disk may have room then,
    /// and begins on a line of its own, for a part of this one may be out.
    private void writeBatch(byte[] batch) {
        try {
            if (torn) {
                out.write('\n');
                torn = false;
            }
            for (int begin = 0; begin < batch.length;) {
                int end = endOfLines(batch, begin);
                out.write(batch, begin, end - begin);
                begin = end;
            }
            out.flush();
        } catch (IOException e) {
            torn = true;
            shard.logDropped(LogSink.ACCESS, LogDropReason.WRITE_FAILURE, count(batch));
        }
    }

    /// Where the whole lines end that one write may hold: several workers write to the same pipe, and a longer write may be
    /// cut by another's: pipe(7).
    private static int endOfLines(byte[] batch, int begin) {
        int end = Math.min(batch.length, begin + WRITE_BYTES_MAX);
        while (end > begin && batch[end - 1] != '\n') {
            end--;
        }
        return end == begin ? batch.length : end;
    }

    private static int count(byte[] batch) {
        int lines = 0;
        for (byte b : batch) {
            lines += b == '\n' ? 1 : 0;
        }
        return lines;
    }

    /// The lines of one event loop, handed over when there are enough or soon after the first.
    private final class LoopLines implements CompletionListener, Runnable {
        private final EventExecutor executor;
        private final AccessLine lines = new AccessLine(BATCH_BYTES);
        private boolean scheduled;

        LoopLines(EventExecutor executor) {
            this.executor = executor;
        }

        @Override
        public void completed(Exchange exchange, int status, long contentBytes, long durationNanos,
                @Nullable Reason reason) {
            lines.append(exchange.peer(), exchange.head(), status, contentBytes);
            if (lines.length() >= BATCH_BYTES) {
                handOver();
            } else if (!scheduled) {
                scheduled = true;
                var _ = executor.schedule(this, HAND_OVER_MILLIS, TimeUnit.MILLISECONDS);
            }
        }

        @Override
        public void run() {
            scheduled = false;
            handOver();
        }

        private void handOver() {
            if (lines.length() > 0) {
                int records = lines.records();
                offer(lines.take(), records);
            }
        }
    }
}
