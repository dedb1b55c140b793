package io.servery.http.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Connections that have not come to HTTP when a drain begins, or that come while it goes on.
class ArrivalTest {
    private final LoopResources resources = new LoopResources(
            new MetricRegistry(MetricScope.http1FilesTls()).loopShard());
    private final EmbeddedChannel channel = new EmbeddedChannel();

    ArrivalTest() {
        channel.freezeTime();
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void aDrainWaitsASecondForThem() {
        resources.arrives(channel);
        resources.drain();

        pass(999);
        assertThat(channel.isOpen()).isTrue();
        pass(1);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void whatComesInADrainIsWaitedForToo() {
        resources.drain();
        resources.arrives(channel);

        pass(1000);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void whatHasArrivedIsLeftAlone() {
        resources.arrives(channel);
        resources.drain();
        resources.arrived(channel);
        resources.closeArriving();

        pass(60_000);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void atTheDeadlineNoneIsWaitedFor() {
        resources.arrives(channel);
        resources.drain();
        resources.closeArriving();

        assertThat(channel.isOpen()).isFalse();
    }

    private void pass(long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }
}
