package io.servery.netty.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/// Of the taker and the disposer of a result one has it, once, whatever happens meanwhile.
class DeliveryTest {
    private final Queue<Runnable> loop = new ArrayDeque<>();
    private final List<String> taken = new ArrayList<>();
    private final List<String> disposed = new ArrayList<>();
    private boolean gone;

    private void deliver(Executor to) {
        new Delivery<String>(to, () -> gone, taken::add, disposed::add).deliver("result");
    }

    private void turn() {
        loop.forEach(Runnable::run);
    }

    @Test
    void resultIsTakenOnTheExecutorOfWhoAsked() {
        deliver(loop::add);
        assertThat(taken).isEmpty();
        turn();
        assertThat(taken).containsExactly("result");
        assertThat(disposed).isEmpty();
    }

    @Test
    void resultThatNobodyWaitsForAnyMoreIsDisposedOf() {
        deliver(loop::add);
        gone = true;
        assertThat(disposed).as("before anybody has looked").isEmpty();
        turn();
        assertThat(disposed).containsExactly("result");
        assertThat(taken).isEmpty();
    }

    @Test
    void resultForAnExecutorThatIsGoneIsDisposedOfAtOnce() {
        deliver(_ -> {
            throw new RejectedExecutionException("gone");
        });
        assertThat(disposed).containsExactly("result");
        assertThat(taken).isEmpty();
    }
}
