package io.servery.http.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.servery.http.semantics.TargetPath;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is remembered of a path is what judging it again would say.
class PathMemoTest {
    private final PathMemo memo = new PathMemo();

    private TargetPath.Result resolve(String path) {
        byte[] line = ("GET " + path + " HTTP/1.1").getBytes(ISO_8859_1);
        return memo.resolve(line, 4, 4 + path.length());
    }

    @Test
    void aPopularPathIsJudgedOnce() {
        TargetPath.Result first = resolve("/a%20b/c.html");
        assertThat(first).isEqualTo(TargetPath.resolve("/a%20b/c.html"));
        assertThat(resolve("/a%20b/c.html")).isSameAs(first);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/..", "/a/%2e%2e/b", "/%00", "/%zz", "no"})
    void aRefusedPathStaysRefused(String path) {
        assertThat(resolve(path)).isEqualTo(TargetPath.resolve(path)).isInstanceOf(TargetPath.Rejected.class);
        assertThat(resolve(path)).isInstanceOf(TargetPath.Rejected.class);
    }

    @Test
    void aLongPathIsJudgedAndNotKept() {
        String path = "/" + "a".repeat(PathMemo.PATH_BYTES_MAX);
        TargetPath.Result first = resolve(path);
        assertThat(first).isInstanceOf(TargetPath.Accepted.class);
        assertThat(resolve(path)).isEqualTo(first).isNotSameAs(first);
    }

    /// Far more paths than there are places, of few letters, so that many share a place, a length or a beginning.
    @Test
    void pathsThatShareAPlaceAreNeverTakenForOneAnother() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 50_000; i++) {
            StringBuilder path = new StringBuilder("/");
            for (int letters = random.nextInt(20); letters > 0; letters--) {
                path.append("ab/.%41".charAt(random.nextInt(7)));
            }
            assertThat(resolve(path.toString())).as("seed %d, %s", seed, path)
                    .isEqualTo(TargetPath.resolve(path.toString()));
        }
    }
}
