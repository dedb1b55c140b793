package io.servery.netty.worker;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.servery.netty.thread.Scheduling;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// The event loops of a worker and their threads.
record LoopGroup(EventLoopGroup group, List<EventLoop> eventLoops) {
    private static final long END_MILLIS = 2000;

    /// @param name of the threads, before their number
    static LoopGroup of(boolean epoll, int count, String name) {
        IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        AtomicInteger made = new AtomicInteger();
        // Netty keeps spare objects and buffers for threads of its own class alone.
        ThreadFactory threads = loop -> new FastThreadLocalThread(() -> {
            Scheduling.takeShortTurns();
            loop.run();
        }, name + made.getAndIncrement());
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(count, threads, io);
        return new LoopGroup(group, IntStream.range(0, count).mapToObj(_ -> group.next()).toList());
    }

    /// Ends them, waiting within a bound.
    void end() throws InterruptedException {
        group.shutdownGracefully(0, END_MILLIS, TimeUnit.MILLISECONDS).await(END_MILLIS);
    }
}
