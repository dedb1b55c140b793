package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.Site;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Configurations of which the parent would make more than its heap holds: a reload refuses them, and ends nothing.
class ParentHeapTest {
    private static final int FILE_BYTES_MAX = 1 << 20;
    private static final int INVALID = 78;

    @TempDir
    static Path folder;
    private static Service service;

    @BeforeAll
    static void start() {
        service = Service.start(Configuration.of(folder, Site.generate(folder.resolve("site")).root()));
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    static Stream<Named<IntFunction<String>>> lines() {
        return Stream.of(Named.of("keys", n -> Integer.toString(n, Character.MAX_RADIX) + "=1\n"),
                Named.of("tables", n -> "[[z]]\n"), Named.of("conflicts", n -> "z=1\n"),
                Named.of("values", n -> n == 0 ? "z=[0" : ",0"));
    }

    /// As many as a file may hold.
    @ParameterizedTest
    @MethodSource("lines")
    void fileThatIsFullOfThemIsRefused(IntFunction<String> line) {
        List<Long> pids = service.workerPids();
        StringBuilder text = new StringBuilder(service.configuration().toml());
        for (int n = 0; text.length() < FILE_BYTES_MAX - 16; n++) {
            text.append(line.apply(n));
        }
        service.configure(text.toString());
        Said reload = service.run("reload");
        assertThat(reload.code()).as(() -> reload + service.errorText()).isEqualTo(INVALID);
        assertThat(reload.errors()).containsPattern("more than 32768 names and values|more errors are not shown");
        assertThat(service.alive()).isTrue();
        assertThat(service.workerPids()).isEqualTo(pids);
        assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
    }
}
