package io.servery.netty.identity.acme;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.config.Logging;
import io.servery.netty.observe.Events;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// What a task throws is told, and the next one is done.
class OwnerThreadTest {
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final Events events = new Events(Logging.Level.INFO, true, said, Clock.systemUTC());
    private final OwnerThread thread = new OwnerThread(events);

    @Test
    void whatIsThrownIsToldAndEndsNothing() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        thread.execute(() -> {
            throw new IllegalStateException("of a task");
        });
        thread.execute(() -> thread.new Alarm().set(Duration.ZERO, () -> {
            thread.execute(done::countDown);
            throw new AssertionError("of an alarm");
        }));

        assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
        thread.end();
        events.close(TimeUnit.SECONDS.toNanos(5));
        assertThat(said.toString(StandardCharsets.UTF_8)).containsSubsequence("runtime.bug", "of a task",
                "runtime.bug", "of an alarm");
    }

    @Test
    void alarmHasOneMomentAndNoneWhenItIsCleared() throws Exception {
        List<String> rung = new CopyOnWriteArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        thread.execute(() -> {
            OwnerThread.Alarm alarm = thread.new Alarm();
            alarm.set(Duration.ZERO, () -> rung.add("first"));
            alarm.set(Duration.ZERO, () -> rung.add("second"));
            OwnerThread.Alarm cleared = thread.new Alarm();
            cleared.set(Duration.ZERO, () -> rung.add("cleared"));
            cleared.clear();
            thread.new Alarm().set(Duration.ofMillis(1), done::countDown);
        });

        assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(rung).containsExactly("second");
        thread.end();
        assertThat(thread.isOver()).isTrue();
        thread.execute(() -> rung.add("after the end"));
        events.close(TimeUnit.SECONDS.toNanos(5));
    }
}
