package io.servery.netty.files;

import java.util.concurrent.atomic.AtomicInteger;

/// How many hold something that the last of them gives back. Whoever makes this is the first.
///
/// *Owner*: any thread. *Invariant*: who made it or whose `join` was answered with true leaves once.
final class Holders {
    private final AtomicInteger count = new AtomicInteger(1);

    /// Becomes one more; false when the last one is gone already.
    boolean join() {
        int held = count.get();
        while (held > 0) {
            int seen = count.compareAndExchange(held, held + 1);
            if (seen == held) {
                return true;
            }
            held = seen;
        }
        return false;
    }

    /// Whether this was the last.
    boolean leave() {
        int left = count.decrementAndGet();
        if (left < 0) {
            throw new IllegalStateException("closed more often than it was held");
        }
        return left == 0;
    }
}
