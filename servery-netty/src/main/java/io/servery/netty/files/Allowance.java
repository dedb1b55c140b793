package io.servery.netty.files;

import java.util.concurrent.atomic.AtomicLong;

/// So much may be taken of something, all together; nobody waits for it.
///
/// *Owner*: any thread. *Invariant*: never more is taken than there is.
final class Allowance {
    private final long most;
    private final AtomicLong taken = new AtomicLong();

    Allowance(long most) {
        this.most = most;
    }

    /// Whether so much could be had at the moment.
    boolean has(long count) {
        return count <= most - taken.get();
    }

    /// Takes so much; false when there is not so much left.
    boolean take(long count) {
        long before = taken.get();
        while (count <= most - before) {
            long seen = taken.compareAndExchange(before, before + count);
            if (seen == before) {
                return true;
            }
            before = seen;
        }
        return false;
    }

    void giveBack(long count) {
        long left = taken.addAndGet(-count);
        if (left < 0) {
            throw new IllegalStateException("allowance: found " + count + " given back; expected at most the "
                    + (left + count) + " of " + most + " that were taken");
        }
    }

    long taken() {
        return taken.get();
    }
}
