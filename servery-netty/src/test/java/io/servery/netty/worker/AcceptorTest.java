package io.servery.netty.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.core.metric.MetricShard;
import io.servery.core.metric.Transport;
import io.servery.core.reason.Reason;
import io.servery.http.exchange.HttpService;
import io.servery.http.exchange.RefusalPages;
import io.servery.http.http1.LoopResources;
import io.servery.netty.admission.ConnectionAdmission;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// When a listening socket is read: by what was said last, whatever errors come between.
class AcceptorTest {
    private static final long PAUSE_MILLIS = 100;

    private final MetricRegistry registry = new MetricRegistry(MetricScope.http1Files());
    private final EmbeddedChannel socket = new EmbeddedChannel();
    private final List<Throwable> reported = new ArrayList<>();
    private Acceptor acceptor;

    @BeforeEach
    void register() {
        MetricShard shard = registry.loopShard();
        HttpService service = new HttpService(List.of(), _ -> {
        }, new RefusalPages(true), (_, _, _, _, _) -> {
        }, reported::add);
        Loop loop = new Loop(socket.eventLoop(), shard, new LoopResources(shard), service, () -> {
            throw new AssertionError("nothing is accepted here");
        }, null);
        acceptor = new Acceptor(List.of(loop), new ConnectionAdmission(1, 0), reported::add);
        socket.config().setAutoRead(false);
        socket.pipeline().addLast(acceptor);
        socket.freezeTime();
    }

    private void fail() {
        socket.pipeline().fireExceptionCaught(new IOException("Too many open files"));
    }

    private void pass(long millis) {
        socket.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        socket.runScheduledPendingTasks();
    }

    private boolean read() {
        return socket.config().isAutoRead();
    }

    @Test
    void errorPausesTheReadingForAMomentAndIsCounted() {
        acceptor.read(socket, true);
        fail();
        assertThat(read()).isFalse();

        pass(PAUSE_MILLIS);

        assertThat(read()).isTrue();
        assertThat(reported).hasSize(1);
        assertThat(registry.snapshot().rejections(Reason.DESCRIPTOR_CAPACITY, Transport.H1)).isEqualTo(1);
    }

    @Test
    void releaseDuringThePauseHolds() {
        acceptor.read(socket, true);
        fail();
        acceptor.read(socket, false);

        pass(10 * PAUSE_MILLIS);

        assertThat(read()).isFalse();
    }

    @Test
    void errorOfASocketThatIsNotReadStartsNothing() {
        fail();

        pass(10 * PAUSE_MILLIS);

        assertThat(read()).isFalse();
    }

    @Test
    void drainDuringThePauseEndsTheReading() {
        List<Boolean> quiet = new ArrayList<>();
        acceptor.read(socket, true);
        fail();
        acceptor.drain(socket, quiet::add);

        for (long passed = 0; passed < 10 * PAUSE_MILLIS; passed += 10) {
            pass(10);
        }

        assertThat(quiet).containsExactly(true);
        assertThat(read()).isFalse();
    }

    @Test
    void drainOfASocketThatIsNotReadIsOverAtOnce() {
        List<Boolean> quiet = new ArrayList<>();

        acceptor.drain(socket, quiet::add);

        assertThat(quiet).containsExactly(false);
    }
}
