package io.servery.interop.load;

import io.servery.interop.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One client: rounds of what it does until the load is over; each exchange gets its verdict.
///
/// *Owner*: its thread.
abstract class Client implements Runnable {
    final Kind kind;
    final Target target;
    final Tally tally;
    final Random random;
    private @Nullable Visit visit;

    /// @param seed of its pauses
    Client(Kind kind, Target target, Tally tally, long seed) {
        this.kind = kind;
        this.target = target;
        this.tally = tally;
        this.random = new Random(seed);
    }

    @Override
    public final void run() {
        while (!tally.over()) {
            try {
                round();
            } catch (Crossed harmless) {
                tally.crossed();
                leave();
            } catch (Broken broken) {
                lose(broken);
            } catch (RuntimeException | AssertionError bug) {
                lose(new Broken(Lost.What.WRONG, "in the client: " + bug));
            }
        }
        leave();
    }

    private void lose(Broken broken) {
        Visit with = visit;
        tally.lost(new Lost(kind, broken.what(), with == null ? 0 : with.clientPort(),
                with == null ? System.nanoTime() : with.openedNanos(), System.nanoTime(), Instant.now(),
                String.valueOf(broken.getMessage())));
        leave();
        // A server that refuses everything is not asked thousands of times a second.
        pause(20);
    }

    /// One go at what this client does.
    abstract void round() throws Broken, Crossed;

    /// The connection that is kept, or a new one.
    final Visit visit() throws Broken {
        Visit kept = visit;
        return kept != null ? kept : enter(Visit.open(target));
    }

    final Visit enter(Visit next) throws Broken {
        visit = next;
        next.shakeHands();
        return next;
    }

    final boolean visiting() {
        return visit != null;
    }

    final void leave() {
        if (visit != null) {
            visit.close();
            visit = null;
        }
    }

    /// An answer that must be this one.
    final void expect(Answer answer, int status, byte @Nullable [] content) throws Broken {
        if (answer.status() != status || content != null && !Arrays.equals(answer.body(), content)) {
            throw new Broken(Lost.What.WRONG, "expected " + status + ", found " + answer);
        }
        tally.answered(kind);
    }

    /// The end that an answer announced.
    final void end(Visit with) throws Broken {
        with.end();
        leave();
    }

    /// Waits, on the kept connection when there is one, where an end in order is nobody's fault.
    final void think(int millisMin, int millisMax) throws Broken {
        int millis = random.nextInt(millisMin, millisMax + 1);
        Visit kept = visit;
        if (kept == null) {
            pause(millis);
        } else if (kept.ends(Duration.ofMillis(millis))) {
            tally.endedIdle();
            leave();
        }
    }

    static void pause(int millis) {
        LockSupport.parkNanos(millis * 1_000_000L);
    }
}
