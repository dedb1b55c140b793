package io.servery.netty.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.unix.DomainSocketAddress;
import io.servery.http.exchange.Refusal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Who may connect, and that every place is given back.
class ConnectionAdmissionTest {
    private static SocketAddress client(int last, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(new byte[]{10, 0, 0, (byte) last}), port);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void connectionsPastTheBoundAreRefusedAndTakeNoPlace() {
        ConnectionAdmission admission = new ConnectionAdmission(2, 0);

        assertThat(admission.admit(client(1, 1))).isNull();
        assertThat(admission.admit(client(2, 1))).isNull();
        for (int i = 0; i < 3; i++) {
            assertThat(admission.admit(client(3, 1))).isEqualTo(Refusal.CONNECTIONS_FULL);
        }
        assertThat(admission.open()).isEqualTo(2);
        admission.release(client(1, 1));
        assertThat(admission.admit(client(3, 1))).isNull();
    }

    @Test
    void oneClientPastItsBoundIsRefusedAndOthersAreNot() {
        ConnectionAdmission admission = new ConnectionAdmission(10, 2);

        assertThat(admission.admit(client(1, 1))).isNull();
        assertThat(admission.admit(client(1, 2))).as("another port, the same client").isNull();
        assertThat(admission.admit(client(1, 3))).isEqualTo(Refusal.CLIENT_CONNECTIONS_FULL);
        assertThat(admission.admit(client(2, 1))).isNull();
        assertThat(admission.open()).isEqualTo(3);
        admission.release(client(1, 1));
        assertThat(admission.admit(client(1, 3))).isNull();
    }

    /// A client that is refused as one too many of all has used none of its own share.
    @Test
    void refusalForAllUsesNothingOfTheClientsShare() {
        ConnectionAdmission admission = new ConnectionAdmission(1, 1);

        assertThat(admission.admit(client(1, 1))).isNull();
        assertThat(admission.admit(client(2, 1))).isEqualTo(Refusal.CONNECTIONS_FULL);
        admission.release(client(1, 1));
        assertThat(admission.admit(client(2, 1))).isNull();
    }

    @Test
    void clientThatHasGoneLeavesNoEntry() {
        ConnectionAdmission admission = new ConnectionAdmission(100_000, 2);
        for (int last = 0; last < 256; last++) {
            admission.admit(client(last, 1));
            admission.admit(client(last, 2));
            admission.admit(client(last, 3));
        }
        assertThat(admission.clients()).isEqualTo(256);
        for (int last = 0; last < 256; last++) {
            admission.release(client(last, 1));
            admission.release(client(last, 2));
        }

        assertThat(admission.clients()).isZero();
        assertThat(admission.open()).isZero();
    }

    @Test
    void boundsThatAreSetMeanwhileHoldForWhoComesThenAndCountWhoIsIn() {
        ConnectionAdmission admission = new ConnectionAdmission(10, 0);
        assertThat(admission.admit(client(1, 1))).isNull();
        assertThat(admission.admit(client(1, 2))).isNull();

        admission.bound(3, 2);

        assertThat(admission.admit(client(1, 3))).isEqualTo(Refusal.CLIENT_CONNECTIONS_FULL);
        assertThat(admission.admit(client(2, 1))).isNull();
        assertThat(admission.admit(client(3, 1))).isEqualTo(Refusal.CONNECTIONS_FULL);
        admission.release(client(1, 1));
        assertThat(admission.admit(client(1, 3))).isNull();
    }

    @Test
    void peersWithoutAnAddressCountTowardsAllAlone() {
        ConnectionAdmission admission = new ConnectionAdmission(3, 1);

        assertThat(admission.admit(new DomainSocketAddress(""))).isNull();
        assertThat(admission.admit(new DomainSocketAddress(""))).isNull();
        assertThat(admission.admit(null)).as("a peer that was gone when it was accepted").isNull();
        assertThat(admission.admit(null)).isEqualTo(Refusal.CONNECTIONS_FULL);
        admission.release(new DomainSocketAddress(""));
        admission.release(new DomainSocketAddress(""));
        admission.release(null);
        assertThat(admission.open()).isZero();
    }

    @Test
    void idleCompletesAtOnceWithNothingOpenAndElseWithTheLastToGo() {
        ConnectionAdmission admission = new ConnectionAdmission(10, 0);
        assertThat(admission.idle()).isCompleted();
        admission.admit(client(1, 1));
        admission.admit(client(1, 2));
        CompletableFuture<Void> idle = admission.idle();

        admission.release(client(1, 1));
        assertThat(idle).isNotDone();
        admission.release(client(1, 2));
        assertThat(idle).isCompleted();
    }

    @Test
    void boundsHoldWhenAllThreadsAskAtOnce() throws InterruptedException {
        int threads = 8;
        int rounds = 5_000;
        ConnectionAdmission admission = new ConnectionAdmission(5, 2);
        AtomicInteger open = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> running = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            SocketAddress peer = client(t / 2, t);
            running.add(Thread.ofPlatform().start(() -> {
                awaitUninterrupted(start);
                for (int i = 0; i < rounds; i++) {
                    if (admission.admit(peer) == null) {
                        most.accumulateAndGet(open.incrementAndGet(), Math::max);
                        open.decrementAndGet();
                        admission.release(peer);
                    }
                }
            }));
        }
        start.countDown();
        for (Thread thread : running) {
            thread.join();
        }

        assertThat(most.get()).isBetween(1, 5);
        assertThat(admission.open()).isZero();
        assertThat(admission.clients()).isZero();
        assertThat(admission.idle()).isCompleted();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
