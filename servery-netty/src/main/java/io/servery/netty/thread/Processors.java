package io.servery.netty.thread;

import io.servery.supervisor.process.Affinity;
import java.util.function.Predicate;

/// The processors of this process while it starts beside others that serve: those on which its parent has started it, half of
/// what it may use. On what is left nothing of a start runs, so that whoever serves has where to run at once; the kernel finds such a
/// processor by itself.
///
/// `Runtime.availableProcessors` would tell the half: a worker is told the whole number by a flag.
///
/// *Owner*: the thread that ends the start.
public final class Processors {
    /// A thread may start another while it is moved: so often they are looked through again.
    private static final int PASSES_MAX = 5;

    private final Affinity half;
    /// What threads are given back.
    private final Affinity whole;

    /// @param half where all threads are
    /// @param whole what they get when the start is over
    public Processors(Affinity half, Affinity whole) {
        this.half = half;
        this.whole = whole;
    }

    /// From now on the compilers alone run on half of the processors: what they do for a process that is about to end is hardly
    /// worth anything.
    public static void compilersOnHalf() {
        Affinity allowed = Affinity.ofThisThread();
        move(Threads::isCompiler, allowed, allowed.half());
    }

    /// All but the compilers run where they may again: those have work for some seconds yet.
    public void releaseServing() {
        move(thread -> !Threads.isCompiler(thread), half, whole);
    }

    /// All run where they may again.
    public void releaseAll() {
        move(_ -> true, half, whole);
    }

    /// Those that somebody else has moved meanwhile stay where they are.
    private static void move(Predicate<String> threads, Affinity from, Affinity to) {
        for (int pass = 0; pass < PASSES_MAX; pass++) {
            int[] moved = new int[1];
            Threads.each(threads, thread -> {
                if (Affinity.of(thread).equals(from)) {
                    to.bind(thread);
                    moved[0]++;
                }
            });
            if (moved[0] == 0) {
                return;
            }
        }
    }
}
