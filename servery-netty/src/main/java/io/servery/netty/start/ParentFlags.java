package io.servery.netty.start;

import java.util.ArrayList;
import java.util.List;

/// The JVM flags of a parent (docs/adr/0018), which serves nothing but its admin listener: a small heap, the first compiler
/// alone, little direct memory. An idle one turns a few times a second, so what a turn calls is compiled after some
/// calls, not hundreds, which would take it minutes of interpreting, and the JVM looks for monitors to deflate every ten
/// seconds, not four times in one. The user's come after them, as with [ServingFlags].
final class ParentFlags {
    private static final List<String> SMALL = List.of("-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=16m",
            "-XX:SweeperThreshold=100");
    private static final List<String> SELDOM_AWAKE = List.of("-XX:Tier0InvokeNotifyFreqLog=3",
            "-XX:Tier3InvocationThreshold=8", "-XX:Tier3MinInvocationThreshold=4", "-XX:Tier3CompileThreshold=80",
            "-XX:AsyncDeflationInterval=10000");
    private static final List<String> HEAP = List.of("-Xms8m", "-Xmx64m", "-Xmn2m", "-XX:MaxDirectMemorySize=16m");

    private ParentFlags() {
    }

    static List<String> of(List<String> given) {
        List<String> flags = new ArrayList<>(ServingFlags.ALWAYS);
        flags.add(ServingFlags.TOLERANT);
        flags.addAll(SMALL);
        flags.addAll(SELDOM_AWAKE);
        if (!ServingFlags.chooseCollector(given)) {
            flags.add("-XX:+UseSerialGC");
        }
        if (!ServingFlags.sizeHeap(given)) {
            flags.addAll(HEAP);
        }
        return flags;
    }
}
