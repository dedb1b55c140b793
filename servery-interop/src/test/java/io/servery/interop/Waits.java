package io.servery.interop;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// How long processes were ready to run and had no processor, as the kernel counts it for each thread: what a busy host took,
/// for which no program can be blamed. On a quiet one it is next to nothing.
public final class Waits {
    private final Map<OsProcess, Map<String, Long>> before;

    private Waits(Map<OsProcess, Map<String, Long>> before) {
        this.before = before;
    }

    /// From now on.
    public static Waits of(List<OsProcess> processes) {
        return new Waits(processes.stream().collect(Collectors.toMap(one -> one, OsProcess::waitedNanos)));
    }

    /// What a process that has just begun to serve has lost since it was started. Its threads start one after the other, so
    /// all of them count.
    public static Duration ofStart(OsProcess process) {
        return Duration.ofNanos(process.waitedNanos().values().stream().mapToLong(Long::longValue).sum());
    }

    /// What all of them lost, one after the other: of each the thread that waited the longest.
    public Duration total() {
        return Duration.ofNanos(before.entrySet().stream()
                .mapToLong(entry -> most(entry.getValue(), entry.getKey().waitedNanos())).sum());
    }

    private static long most(Map<String, Long> before, Map<String, Long> now) {
        return now.entrySet().stream()
                .mapToLong(thread -> thread.getValue() - before.getOrDefault(thread.getKey(), 0L)).max().orElse(0);
    }
}
