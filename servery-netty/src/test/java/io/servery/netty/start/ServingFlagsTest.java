package io.servery.netty.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.netty.start.ServingFlags.Capacity;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServingFlagsTest {
    private static final Capacity SMALL = new Capacity(2, 1L << 30, 1L << 30);
    private static final Capacity LARGE = new Capacity(4, 2L << 30, 1L << 30);

    @Test
    void smallHostGetsTheSerialCollectorAndALargeOneG1() {
        assertThat(ServingFlags.of(SMALL, List.of())).contains("-XX:+UseSerialGC").doesNotContain("-XX:+UseG1GC");
        assertThat(ServingFlags.of(LARGE, List.of())).contains("-XX:+UseG1GC").doesNotContain("-XX:+UseSerialGC");
        assertThat(ServingFlags.of(new Capacity(64, 1L << 30, 1L << 30), List.of())).contains("-XX:+UseSerialGC");
        assertThat(ServingFlags.of(new Capacity(2, 64L << 30, 1L << 30), List.of())).contains("-XX:+UseSerialGC");
    }

    @Test
    void collectorOfTheUserIsTheOnlyOne() {
        assertThat(ServingFlags.of(LARGE, List.of("-XX:+UseZGC")))
                .doesNotContain("-XX:+UseG1GC", "-XX:+UseSerialGC");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xmx8m", "-Xms1g", "-XX:InitialHeapSize=8m", "-XX:MaxRAMPercentage=70.0",
            "-XX:MaxHeapSize=1g"})
    void whoSizesTheHeapSizesAllOfIt(String flag) {
        assertThat(ServingFlags.of(SMALL, List.of(flag))).noneMatch(ours -> ours.startsWith("-Xm"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xmn30m", "-XX:NewSize=30m", "-XX:MaxNewSize=30m", "-XX:NewRatio=3", "-Xmx16m",
            "-XX:+UseParallelGC"})
    void youngGenerationIsOursOnlyWhereNothingOfTheHeapIsTheUsers(String flag) {
        assertThat(ServingFlags.of(SMALL, List.of())).contains("-Xmn8m");
        assertThat(ServingFlags.of(SMALL, List.of(flag))).doesNotContain("-Xmn8m");
    }

    @Test
    void youngGenerationOfG1IsItsOwn() {
        assertThat(ServingFlags.of(LARGE, List.of())).doesNotContain("-Xmn8m");
    }

    @Test
    void heapIsBoundedByWhatIsGiven() {
        assertThat(ServingFlags.of(new Capacity(2, 160L << 20, 1L << 30), List.of())).contains("-Xmx163840k",
                "-XX:MaxDirectMemorySize=1048576k");
    }
}
