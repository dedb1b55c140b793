package io.servery.netty.start;

import java.util.ArrayList;
import java.util.List;

/// The JVM flags of a parent (docs/adr/0018), which serves nothing but its admin listener: a small heap, the first compiler
/// alone, little direct memory. The user's come after them, as with [ServingFlags].
final class ParentFlags {
    private static final List<String> SMALL = List.of("-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=16m");
    private static final List<String> HEAP = List.of("-Xms8m", "-Xmx64m", "-Xmn2m", "-XX:MaxDirectMemorySize=16m");

    private ParentFlags() {
    }

    static List<String> of(List<String> given) {
        List<String> flags = new ArrayList<>(ServingFlags.ALWAYS);
        flags.add(ServingFlags.TOLERANT);
        flags.addAll(SMALL);
        if (!ServingFlags.chooseCollector(given)) {
            flags.add("-XX:+UseSerialGC");
        }
        if (!ServingFlags.sizeHeap(given)) {
            flags.addAll(HEAP);
        }
        return flags;
    }
}
