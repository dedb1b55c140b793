package io.servery.netty.start;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MallocVariablesTest {
    @Test
    void piecesOfTheCompilersAreMappedOnTheirOwn() {
        assertThat(beside("PATH=/bin", "MALLOC_ARENA_MAX=2", "GLIBC_TUNABLES=glibc.pthread.rseq=0", ""))
                .containsExactly("PATH=/bin", "MALLOC_ARENA_MAX=2",
                        "GLIBC_TUNABLES=glibc.pthread.rseq=0", "",
                        "MALLOC_MMAP_THRESHOLD_=30000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"MALLOC_MMAP_THRESHOLD_=131072",
            "GLIBC_TUNABLES=glibc.malloc.arena_max=1:glibc.malloc.mmap_threshold=131072"})
    void whoSetOneOfTheKindHasItAsItWas(String users) {
        assertThat(beside("PATH=/bin", users)).containsExactly("PATH=/bin", users);
    }

    private static List<String> beside(String... given) {
        return MallocVariables.beside(Arrays.stream(given).map(one -> one.getBytes(UTF_8)).toList()).stream()
                .map(one -> new String(one, UTF_8)).toList();
    }
}
