package io.servery.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// What a request for a small file allocates on the event loop, by the JVM's own count for that thread. Bytes are no times: they
/// hold on a busy machine, too, as soon as the code is compiled.
@EnabledOnOs(value = OS.LINUX, disabledReason = "epoll is Linux's")
@Timeout(120)
class RequestAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int BYTES_MAX = 200;
    /// Less than the smallest object.
    private static final int DIFFERENCE_MAX = 8;
    /// Enough for the second compiler, which leaves out what never escapes.
    private static final int WARM_UP_REQUESTS = 60_000;
    private static final int REQUESTS = 20_000;
    /// The least of a few rounds counts: a compilation in the middle of one leaves it with the old code's garbage.
    private static final int ROUNDS = 4;

    private static ServedFile server;

    @BeforeAll
    static void start() throws IOException {
        server = new ServedFile();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static long loopThread() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("servery-loop"))
                .mapToLong(Thread::threadId).findFirst().orElseThrow();
    }

    private static double bytesPerRequest(String head) throws IOException {
        try (SilentClient client = new SilentClient(server.address(), head)) {
            ask(client, WARM_UP_REQUESTS);
            long loop = loopThread();
            double least = Double.MAX_VALUE;
            for (int round = 0; round < ROUNDS; round++) {
                long before = THREADS.getThreadAllocatedBytes(loop);
                ask(client, REQUESTS);
                least = Math.min(least, (THREADS.getThreadAllocatedBytes(loop) - before) / (double) REQUESTS);
            }
            System.out.printf(Locale.ROOT, "allocated for a request of %d bytes: %.1f bytes%n", head.length(), least);
            return least;
        }
    }

    private static void ask(SilentClient client, int requests) throws IOException {
        for (int i = 0; i < requests; i++) {
            if (client.ask() != '2') {
                throw new AssertionError("an answer was not 200");
            }
        }
    }

    @Test
    void requestForASmallFileAllocatesLittle() throws IOException {
        assertThat(bytesPerRequest(Requests.SHORT)).isBetween(0.0, (double) BYTES_MAX);
    }

    @Test
    void fieldsThatNobodyAsksForAllocateNothing() throws IOException {
        double without = bytesPerRequest(Requests.SHORT);
        assertThat(bytesPerRequest(Requests.BROWSER.replace("Connection: keep-alive\r\n", "")) - without)
                .isLessThan(DIFFERENCE_MAX);
    }

    @Test
    void clientAllocatesNothing() throws IOException {
        try (SilentClient client = new SilentClient(server.address(), Requests.SHORT)) {
            for (int i = 0; i < REQUESTS; i++) {
                client.ask();
            }
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < REQUESTS; i++) {
                client.ask();
            }
            assertThat((THREADS.getCurrentThreadAllocatedBytes() - before) / (double) REQUESTS).isLessThan(1);
        }
    }
}
