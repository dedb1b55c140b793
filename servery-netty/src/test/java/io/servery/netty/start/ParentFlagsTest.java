package io.servery.netty.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ParentFlagsTest {
    @Test
    void parentHasASmallHeapAndOneCompiler() {
        assertThat(ParentFlags.of(List.of())).contains("-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED");
    }

    /// An idle parent turns some five times in two seconds: a method of its turn is compiled within some seconds.
    @Test
    void whatTurnsSeldomIsCompiledEarly() {
        assertThat(ParentFlags.of(List.of())).contains("-XX:Tier3InvocationThreshold=8",
                "-XX:Tier0InvokeNotifyFreqLog=3");
    }

    @Test
    void heapAndCollectorOfTheUserStay() {
        assertThat(ParentFlags.of(List.of("-Xmx1g", "-XX:+UseG1GC")))
                .noneMatch(flag -> flag.startsWith("-Xm") || flag.endsWith("GC"));
    }
}
