package io.servery.acme.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// A mailbox that a test waits at.
final class Replies implements Mailbox {
    private final BlockingQueue<Reply> queue = new LinkedBlockingQueue<>();

    @Override
    public void deliver(Reply reply) {
        queue.add(reply);
    }

    Reply next() throws InterruptedException {
        Reply reply = queue.poll(5, TimeUnit.MINUTES);
        assertThat(reply).as("a reply within five minutes").isNotNull();
        return reply;
    }

    <T extends Reply> T next(Class<T> kind) throws InterruptedException {
        Reply reply = next();
        assertThat(reply).isInstanceOf(kind);
        return kind.cast(reply);
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }
}
