package io.servery.netty.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GivenFlagsTest {
    private static final String[] ARGS = {"serve", "-jar", ""};

    private static List<String> before(String words) {
        return GivenFlags.before(ARGS, List.of(words.split("\\|", -1)));
    }

    @Test
    void plainWordsBeforeTheJarAreTheFlags() {
        assertThat(before("java|-jar|a.jar|serve|-jar|")).isEmpty();
        assertThat(before("java|-Xmx9m|-Da=b c|-XX:+UseZGC|-jar|-Xjar|serve|-jar|")).containsExactly("-Xmx9m",
                "-Da=b c",
                "-XX:+UseZGC");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "java", "serve|-jar|", "java|a.Main|serve|-jar|", "java|-cp|a.jar|a.Main|serve|-jar|",
            "java|@flags|-jar|a.jar|serve|-jar|", "java|--add-opens|a/b=c|-jar|a.jar|serve|-jar|",
            "java|-XX:VMOptionsFile=f|-jar|a.jar|serve|-jar|", "java|-jar|a.jar|serve|-jar|x",
            "java|-ea|-jar|a.jar|serve|-jar|"})
    void anythingElseIsLeftToTheJvm(String words) {
        assertThat(before(words)).isNull();
    }
}
