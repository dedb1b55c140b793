package io.servery.netty.thread;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/// The threads of this process as the kernel numbers them: proc(5).
final class Threads {
    /// What system calls take for the calling one.
    static final long CALLING = 0;
    private static final File ALL = new File("/proc/self/task");

    private Threads() {
    }

    /// Gives the numbers of those that are there now and whose directory in proc is wanted.
    static void each(Predicate<String> wanted, LongConsumer sink) {
        String[] threads = ALL.list();
        if (threads != null) {
            for (String thread : threads) {
                if (wanted.test(thread)) {
                    sink.accept(Long.parseLong(thread));
                }
            }
        }
    }

    /// `C1 CompilerThread0` and its kind, of which the kernel keeps fifteen bytes, and what gives them the work that a cache
    /// remembers.
    static boolean isCompiler(String thread) {
        String name = name(thread);
        return name.contains(" Compiler") || name.startsWith("Training replay");
    }

    /// `C2 CompilerThread0` and others of it.
    static boolean isSecondCompiler(String thread) {
        return name(thread).startsWith("C2 Compiler");
    }

    /// Empty when it has ended.
    private static String name(String thread) {
        try (FileInputStream in = new FileInputStream(new File(new File(ALL, thread), "comm"))) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException ended) {
            return "";
        }
    }
}
