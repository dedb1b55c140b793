package io.servery.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The child process: has this process's standard streams, gets its signals, gives it its exit code.
///
/// *Owner*: the main thread starts and awaits it; signals and the shutdown hook come on threads of their own.
final class ChildJvm {
    private static final List<String> PASSED = List.of("TERM", "INT", "HUP");
    private static final long DESTROY_SECONDS_MAX = 40;

    private final List<String> command;
    private final List<String> early = new ArrayList<>();
    private @Nullable Process process;

    ChildJvm(List<String> command) {
        this.command = command;
    }

    /// Starts the child and waits for it: its exit code, 128 + n where signal n killed it.
    int run() throws IOException, InterruptedException {
        Thread destroyer = new Thread(this::destroyAndAwait, "child-destroyer");
        Runtime.getRuntime().addShutdownHook(destroyer);
        PASSED.forEach(signal -> OsSignal.handle(signal, () -> pass(signal)));
        return start().waitFor();
    }

    private synchronized Process start() throws IOException {
        Process started = new ProcessBuilder(command).inheritIO().start();
        process = started;
        early.forEach(signal -> send(started, signal));
        early.clear();
        return started;
    }

    private synchronized void pass(String signal) {
        Process target = process;
        if (target == null) {
            early.add(signal);
        } else if (!signal.equals("INT") || !isTerminalForeground()) {
            send(target, signal);
        }
    }

    /// Control-C at a terminal goes to every process of the foreground group, so the child has it already, and a second
    /// one would mean "force".
    private static boolean isTerminalForeground() {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"));
            // After the name, which may contain anything: state ppid pgrp session tty_nr tpgid.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", 7);
            return !fields[4].equals("0") && fields[2].equals(fields[5]);
        } catch (IOException noProc) {
            return false;
        }
    }

    /// By the shell's own kill: Java 17 can send TERM and KILL alone.
    private static void send(Process target, String signal) {
        if (!target.isAlive()) {
            return;
        }
        try {
            new ProcessBuilder("/bin/sh", "-c", "kill -s \"$0\" \"$1\" 2>/dev/null", signal,
                    Long.toString(target.pid()))
                    .start();
        } catch (IOException noShell) {
            if (!signal.equals("HUP")) {
                target.destroy();
            }
        }
    }

    /// When this JVM ends in another way than by the child's end, an exit in a handler for one, the child must not outlive it.
    private void destroyAndAwait() {
        Process target;
        synchronized (this) {
            target = process;
        }
        if (target == null || !target.isAlive()) {
            return;
        }
        target.destroy();
        try {
            if (!target.waitFor(DESTROY_SECONDS_MAX, TimeUnit.SECONDS)) {
                target.destroyForcibly().waitFor();
            }
        } catch (InterruptedException ending) {
            target.destroyForcibly();
        }
    }
}
