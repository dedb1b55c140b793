package io.servery.netty.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.config.Logging;
import io.servery.core.metric.LogDropReason;
import io.servery.core.metric.LogSink;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class EventsTest {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final Event EVENT = Event.of(Logging.Level.INFO, "runtime.state_changed").with("state", "ready");
    private static final int FLOOD = 5_000;

    private final MetricRegistry registry = new MetricRegistry(MetricScope.http1Files());
    private final SlowSink sink = new SlowSink();
    private final Events events = new Events(Logging.Level.INFO, true, sink, Clock.systemUTC());

    @Test
    void whatWasEmittedIsWrittenInItsOrderBeforeTheEnd() throws InterruptedException {
        events.emit(EVENT);
        events.line("second");
        assertThat(events.close(PATIENCE_NANOS)).isTrue();
        assertThat(sink.text()).containsSubsequence("runtime.state_changed", "second");
    }

    @Test
    void everyEventEndsWithTheFieldsOfItsProcess() throws InterruptedException {
        Events worker = new Events(Logging.Level.INFO, false, sink, Clock.systemUTC(), Map.of("worker", 3));
        worker.emit(EVENT);
        assertThat(worker.close(PATIENCE_NANOS)).isTrue();
        assertThat(sink.text()).isEqualTo("runtime.state_changed state=ready worker=3\n");
    }

    @Test
    void levelThatIsSetMeanwhileHoldsForWhatComesThen() throws InterruptedException {
        events.level(Logging.Level.WARN);
        events.emit(EVENT);
        events.level(Logging.Level.INFO);
        events.emit(EVENT.with("count", 2));
        assertThat(events.close(PATIENCE_NANOS)).isTrue();
        assertThat(sink.text().lines()).singleElement().asString().contains("\"count\":2");
    }

    @Test
    void nobodyWaitsForAReaderThatDoesNotRead() throws InterruptedException {
        events.countDropsIn(registry.sharedShard());
        sink.stop();
        for (int i = 0; i < FLOOD; i++) {
            events.emit(EVENT);
        }
        assertThat(dropped(LogDropReason.QUEUE_CAPACITY)).isBetween(1L, (long) FLOOD);
        assertThat(events.close(1)).as("all written").isFalse();
        sink.go();
        Awaitility.await().untilAsserted(() -> assertThat(sink.text()).contains("logging.dropped"));
    }

    @Test
    void eventAfterAFullDiskIsWritten() throws InterruptedException {
        events.countDropsIn(registry.sharedShard());
        sink.fill();
        events.emit(EVENT);
        Awaitility.await().until(() -> dropped(LogDropReason.WRITE_FAILURE) == 1);
        sink.free();
        events.line("again");
        assertThat(events.close(PATIENCE_NANOS)).isTrue();
        assertThat(sink.text()).startsWith("again\n");
    }

    private long dropped(LogDropReason reason) {
        return registry.snapshot().logDropped(LogSink.EVENT, reason);
    }

    /// A stream that can be held up, or be out of room.
    private static final class SlowSink extends OutputStream {
        private final StringBuilder text = new StringBuilder();
        private boolean stopped;
        private boolean full;

        @Override
        public void write(int b) throws IOException {
            write(new byte[]{(byte) b}, 0, 1);
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int length) throws IOException {
            while (stopped) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            if (full) {
                throw new IOException("No space left on device");
            }
            text.append(new String(bytes, from, length, StandardCharsets.UTF_8));
        }

        synchronized void stop() {
            stopped = true;
        }

        synchronized void go() {
            stopped = false;
            notifyAll();
        }

        synchronized void fill() {
            full = true;
        }

        synchronized void free() {
            full = false;
        }

        synchronized String text() {
            return text.toString();
        }
    }
}
