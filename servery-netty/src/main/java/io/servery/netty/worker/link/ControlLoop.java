package io.servery.netty.worker.link;

import io.servery.core.control.Order;
import io.servery.core.control.Report;
import io.servery.supervisor.channel.ControlChannel;
import io.servery.supervisor.channel.Poller;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The loop of the control thread: orders in, reports out, and what other threads want done here.
///
/// *Owner*: the control thread; `execute` and `wake` may be called by any. *Invariant*: it never waits for anything but all
/// of these at once.
final class ControlLoop implements Executor {
    /// What was reported last is to reach a parent that is slow, but not one that reads nothing.
    private static final long LAST_WORDS_NANOS = Duration.ofMillis(500).toNanos();

    /// Never closed: event loops may wake it until the process ends, and its descriptor must not become another's.
    private final Poller poller;
    private final ControlChannel<Order, Report> channel;
    private final Queue<Runnable> handedOver = new ConcurrentLinkedQueue<>();
    private boolean channelEnded;

    ControlLoop(ControlChannel<Order, Report> channel) throws IOException {
        this.poller = new Poller();
        this.channel = channel;
    }

    @Override
    public void execute(Runnable step) {
        handedOver.add(step);
        wake();
    }

    void wake() {
        poller.wake();
    }

    /// Sends a report; a channel that has ended drops it.
    void report(Report report) {
        channel.send(report, List.of());
    }

    /// Whether the parent has taken everything that was reported: only then is there a point in saying what can wait.
    boolean parentReads() {
        return channel.end() == null && !channel.wantsToWrite();
    }

    List<Integer> takeDescriptors(int count) {
        return channel.takeDescriptors(count);
    }

    int surplusDescriptors() {
        return channel.surplus();
    }

    /// Turns until the life is over, and gives the parent a moment to read its last words.
    void run(Life life, ParentInput parent) throws IOException {
        while (!life.over()) {
            turn(life.untilDue(), watched(parent, life), life);
        }
        long deadline = System.nanoTime() + LAST_WORDS_NANOS;
        while (channel.end() == null && channel.wantsToWrite() && System.nanoTime() - deadline < 0) {
            poller.await(List.of(new Channel(_ -> {
            })), Duration.ofNanos(deadline - System.nanoTime()));
        }
    }

    private void turn(Duration until, List<Poller.Watched> watched, Life life) throws IOException {
        poller.await(watched, until);
        for (Runnable step = handedOver.poll(); step != null; step = handedOver.poll()) {
            step.run();
        }
        life.timePassed();
        String end = channel.end();
        if (end != null && !channelEnded) {
            channelEnded = true;
            life.parentGone("the parent " + end);
        }
    }

    /// What has ended is watched no more: it would be ready for ever.
    private List<Poller.Watched> watched(ParentInput parent, Life life) {
        List<Poller.Watched> watched = new ArrayList<>(2);
        if (channel.end() == null) {
            watched.add(new Channel(life::obey));
        }
        if (!parent.ended()) {
            watched.add(parent);
        }
        return watched;
    }

    /// What runs on this loop.
    interface Life {
        /// An order has come. Not called once the life is over.
        void obey(Order order);

        /// The parent is gone, or speaks another language.
        void parentGone(String how);

        /// How long nothing is due.
        Duration untilDue();

        void timePassed();

        boolean over();
    }

    private final class Channel implements Poller.Watched {
        private final Consumer<Order> sink;

        Channel(Consumer<Order> sink) {
            this.sink = sink;
        }

        @Override
        public int descriptor() {
            return channel.socket().descriptor();
        }

        @Override
        public boolean wantsToWrite() {
            return channel.wantsToWrite();
        }

        @Override
        public void ready(boolean readable, boolean writable) {
            if (readable) {
                channel.receive(sink);
            }
            if (writable) {
                channel.flush();
            }
        }
    }
}
