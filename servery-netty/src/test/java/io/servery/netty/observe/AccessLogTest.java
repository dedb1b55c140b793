package io.servery.netty.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.servery.core.metric.LogDropReason;
import io.servery.core.metric.LogSink;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.http.exchange.CompletionListener;
import io.servery.http.exchange.Exchange;
import io.servery.netty.files.TestRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// From the end of a request to its line on the output, or to the count of those that were dropped.
class AccessLogTest {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int QUEUE_BYTES_MAX = 8 * 1024 * 1024;
    private static final int TARGET_BYTES = 3000;

    private final MetricRegistry registry = new MetricRegistry(MetricScope.http1Files());
    private final EmbeddedChannel loop = new EmbeddedChannel();

    @AfterEach
    void close() {
        loop.finishAndReleaseAll();
    }

    /// An output that lets nothing pass until it is opened.
    private static final class Gate extends OutputStream {
        private final ByteArrayOutputStream written = new ByteArrayOutputStream();
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch opened = new CountDownLatch(1);

        @Override
        public void write(int b) {
            written.write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            entered.countDown();
            try {
                opened.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            written.write(bytes, offset, length);
        }

        long lines() {
            return written.toString(StandardCharsets.US_ASCII).lines().count();
        }
    }

    /// An output that fails for as long as it is told to, after the first half of what it was given.
    private static final class Failing extends OutputStream {
        private final ByteArrayOutputStream written = new ByteArrayOutputStream();
        private volatile boolean failing = true;
        private final CountDownLatch failed = new CountDownLatch(1);

        @Override
        public void write(int b) {
            written.write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            written.write(bytes, offset, failing ? length / 2 : length);
            if (failing) {
                failed.countDown();
                throw new IOException("No space left on device");
            }
        }
    }

    private static Exchange exchange(String target) {
        return new LoggedExchange(TestRequest.head("GET", target),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
    }

    private static void complete(CompletionListener listener, String target) {
        listener.completed(exchange(target), 200, 5, 1, null);
    }

    private void handOver() {
        loop.advanceTimeBy(20, TimeUnit.MILLISECONDS);
        loop.runScheduledPendingTasks();
    }

    private long dropped(LogDropReason reason) {
        return registry.snapshot().logDropped(LogSink.ACCESS, reason);
    }

    @Test
    void lineIsHandedOverSoonAfterItsRequestAndClosingWritesWhatIsQueued() throws InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        AccessLog log = new AccessLog(out, registry.sharedShard());
        CompletionListener listener = log.forLoop(loop.eventLoop());
        complete(listener, "/one");
        complete(listener, "/two");
        handOver();
        complete(listener, "/three");
        handOver();

        assertThat(log.close(PATIENCE_NANOS)).isTrue();

        assertThat(out.toString(StandardCharsets.US_ASCII).lines()).hasSize(3).satisfiesExactly(
                line -> assertThat(line).contains("\"GET /one HTTP/1.1\" 200 5"),
                line -> assertThat(line).contains("\"GET /two HTTP/1.1\" 200 5"),
                line -> assertThat(line).contains("\"GET /three HTTP/1.1\" 200 5"));
        assertThat(dropped(LogDropReason.QUEUE_CAPACITY)).isZero();
    }

    @Test
    void fullBatchIsHandedOverWithoutWaiting() throws InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        AccessLog log = new AccessLog(out, registry.sharedShard());
        CompletionListener listener = log.forLoop(loop.eventLoop());
        for (int i = 0; i < 6; i++) {
            complete(listener, "/" + "a".repeat(TARGET_BYTES));
        }

        assertThat(log.close(PATIENCE_NANOS)).isTrue();

        assertThat(out.size()).isGreaterThan(16 * 1024);
    }

    @Test
    void linesOfOneLoopStayInOrderAmongThoseOfAnother() throws InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        AccessLog log = new AccessLog(out, registry.sharedShard());
        CompletionListener first = log.forLoop(loop.eventLoop());
        CompletionListener second = log.forLoop(loop.eventLoop());
        for (int i = 0; i < 1000; i++) {
            complete(first, "/first/" + i);
            complete(second, "/second/" + i);
        }
        handOver();

        assertThat(log.close(PATIENCE_NANOS)).isTrue();

        for (String name : new String[]{"first", "second"}) {
            assertThat(out.toString(StandardCharsets.US_ASCII).lines().filter(line -> line.contains("/" + name + "/"))
                    .map(line -> Integer.parseInt(line.replaceAll(".*/" + name + "/(\\d+) .*", "$1")))).hasSize(1000)
                    .isSorted();
        }
    }

    /// Nobody reads the output: the event loop goes on, the queue stays within its bound, and every record is either
    /// written in the end or counted as dropped.
    @Test
    void queueIsBoundedInBytesAndWhatItRefusesIsCounted() throws InterruptedException {
        Gate out = new Gate();
        AccessLog log = new AccessLog(out, registry.sharedShard());
        CompletionListener listener = log.forLoop(loop.eventLoop());
        int records = 2 * QUEUE_BYTES_MAX / TARGET_BYTES;
        for (int i = 0; i < records; i++) {
            complete(listener, "/" + "a".repeat(TARGET_BYTES));
        }
        handOver();
        assertThat(out.entered.await(10, TimeUnit.SECONDS)).isTrue();
        long dropped = dropped(LogDropReason.QUEUE_CAPACITY);
        out.opened.countDown();

        assertThat(log.close(PATIENCE_NANOS)).isTrue();

        assertThat(dropped).isPositive().isEqualTo(dropped(LogDropReason.QUEUE_CAPACITY));
        assertThat(out.lines()).isEqualTo(records - dropped);
        assertThat(out.written.size()).isBetween(QUEUE_BYTES_MAX - 32 * 1024, QUEUE_BYTES_MAX);
    }

    @Test
    void queueIsBoundedInBatches() throws InterruptedException {
        Gate out = new Gate();
        AccessLog log = new AccessLog(out, registry.sharedShard());
        CompletionListener listener = log.forLoop(loop.eventLoop());
        complete(listener, "/first");
        handOver();
        assertThat(out.entered.await(10, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 1030; i++) {
            complete(listener, "/next");
            handOver();
        }

        assertThat(dropped(LogDropReason.QUEUE_CAPACITY)).isEqualTo(1030 - 1024);
        assertThat(log.close(1)).as("closed without patience, with the queue full").isFalse();
        out.opened.countDown();
        assertThat(log.close(PATIENCE_NANOS)).isTrue();
        assertThat(out.lines()).isEqualTo(1 + 1024);
    }

    @Test
    void roomThatIsFreeAgainIsUsedAgain() throws InterruptedException {
        Gate out = new Gate();
        AccessLog log = new AccessLog(out, registry.sharedShard());
        CompletionListener listener = log.forLoop(loop.eventLoop());
        out.opened.countDown();
        int records = 4 * QUEUE_BYTES_MAX / TARGET_BYTES;
        for (int i = 0; i < records; i++) {
            complete(listener, "/" + "a".repeat(TARGET_BYTES));
        }
        handOver();

        assertThat(log.close(PATIENCE_NANOS)).isTrue();

        assertThat(out.lines() + dropped(LogDropReason.QUEUE_CAPACITY)).isEqualTo(records);
        assertThat(out.written.size()).isGreaterThan(QUEUE_BYTES_MAX / 2);
    }

    /// A full disk: what could not be written is counted, the next line begins on a line of its own, and nobody throws.
    @Test
    void failureOfTheOutputIsCountedAndWritingGoesOnAfterIt() throws InterruptedException {
        Failing out = new Failing();
        AccessLog log = new AccessLog(out, registry.sharedShard());
        CompletionListener listener = log.forLoop(loop.eventLoop());
        complete(listener, "/lost");
        complete(listener, "/lost-too");
        handOver();
        assertThat(out.failed.await(10, TimeUnit.SECONDS)).isTrue();
        out.failing = false;
        complete(listener, "/written");
        handOver();

        assertThat(log.close(PATIENCE_NANOS)).isTrue();

        assertThat(dropped(LogDropReason.WRITE_FAILURE)).isEqualTo(2);
        assertThat(out.written.toString(StandardCharsets.US_ASCII)).containsPattern(
                "\n127\\.0\\.0\\.1 - - \\[[^]]+] \"GET /written HTTP/1\\.1\" 200 5\n$");
    }

    @Test
    void writerThatIsStuckDoesNotHoldUpTheEnd() throws InterruptedException {
        Gate out = new Gate();
        AccessLog log = new AccessLog(out, registry.sharedShard());
        CompletionListener listener = log.forLoop(loop.eventLoop());
        complete(listener, "/stuck");
        handOver();

        assertThat(log.close(TimeUnit.MILLISECONDS.toNanos(50))).isFalse();

        out.opened.countDown();
    }
}
