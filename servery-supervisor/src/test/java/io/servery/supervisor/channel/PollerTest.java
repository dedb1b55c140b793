package io.servery.supervisor.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.supervisor.Census;
import io.servery.supervisor.posix.Descriptors;
import io.servery.supervisor.posix.Posix;
import io.servery.supervisor.posix.PosixException;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// The one wait of a loop: poll(2), eventfd(2). A test whose wait does not end fails by its time limit.
@EnabledOnOs(value = OS.LINUX, disabledReason = "the supervisor is Linux's")
@Timeout(60)
class PollerTest {
    private static final Duration FOREVER = Duration.ofHours(1);

    private List<String> before = List.of();
    private Poller poller;
    private int[] pipe;

    @BeforeEach
    void open() throws PosixException {
        before = Census.descriptors();
        poller = new Poller();
        pipe = Descriptors.pipe();
    }

    @AfterEach
    void nothingIsLeftOpen() {
        poller.close();
        for (int end : pipe) {
            if (end >= 0) {
                Descriptors.close(end);
            }
        }
        assertThat(Census.descriptors()).isEqualTo(before);
    }

    private static final class Watching implements Poller.Watched {
        private final int descriptor;
        private final boolean writing;
        private final List<String> told;

        Watching(int descriptor, boolean writing, List<String> told) {
            this.descriptor = descriptor;
            this.writing = writing;
            this.told = told;
        }

        @Override
        public int descriptor() {
            return descriptor;
        }

        @Override
        public boolean wantsToWrite() {
            return writing;
        }

        @Override
        public void ready(boolean readable, boolean writable) {
            told.add(descriptor + (readable ? " readable" : "") + (writable ? " writable" : ""));
        }
    }

    private List<String> await(Duration timeout, int... descriptors) throws PosixException {
        List<String> told = new ArrayList<>();
        List<Watching> watched = new ArrayList<>();
        for (int descriptor : descriptors) {
            watched.add(new Watching(descriptor, descriptor == pipe[1], told));
        }
        poller.await(watched, timeout);
        return told;
    }

    private void write() throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            Posix.function("write").call(pipe[1], arena.allocate(1).address(), 1);
        }
    }

    @Test
    void nothingIsReadyWhenTimeIsUp() throws PosixException {
        assertThat(await(Duration.ofMillis(20), pipe[0])).isEmpty();
        assertThat(await(Duration.ZERO, pipe[0])).isEmpty();
        assertThat(await(Duration.ofSeconds(-1), pipe[0])).isEmpty();
    }

    @Test
    void lessThanAMillisecondIsWaitedFor() throws PosixException {
        long before = System.nanoTime();
        await(Duration.ofNanos(1), pipe[0]);

        assertThat(System.nanoTime() - before).as("a deadline is not waited for by turning").isGreaterThan(500_000);
    }

    @Test
    void whatIsReadyIsToldInTheOrderOfTheList() throws PosixException {
        write();

        assertThat(await(FOREVER, pipe[0], pipe[1])).containsExactly(pipe[0] + " readable", pipe[1] + " writable");
        assertThat(await(FOREVER, pipe[1], pipe[0])).containsExactly(pipe[1] + " writable", pipe[0] + " readable");
    }

    @Test
    void endIsReadable() throws PosixException {
        Descriptors.close(pipe[1]);
        pipe[1] = -1;

        assertThat(await(FOREVER, pipe[0])).containsExactly(pipe[0] + " readable");
    }

    @Test
    void negativeDescriptorIsPassedOver() throws PosixException {
        write();

        assertThat(await(FOREVER, -1, pipe[0])).containsExactly(pipe[0] + " readable");
    }

    @Test
    void wakeBeforeTheWaitEndsItOnce() throws PosixException {
        poller.wake();
        poller.wake();

        assertThat(await(FOREVER, pipe[0])).isEmpty();
        write();
        assertThat(await(FOREVER, pipe[0])).hasSize(1);
    }

    @Test
    void wakeOfAnotherThreadEndsTheWait() throws Exception {
        CountDownLatch waiting = new CountDownLatch(1);
        Thread loop = new Thread(() -> {
            waiting.countDown();
            try {
                await(FOREVER, pipe[0]);
            } catch (PosixException e) {
                throw new AssertionError(e);
            }
        });
        loop.start();
        waiting.await();
        // Wherever that thread is now: a wake that comes before its wait ends it too.
        poller.wake();
        loop.join(30_000);

        assertThat(loop.isAlive()).isFalse();
    }
}
