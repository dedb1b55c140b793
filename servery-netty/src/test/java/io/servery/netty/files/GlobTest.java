package io.servery.netty.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobTest {
    @ParameterizedTest
    @CsvSource(delimiter = ' ', value = {"*.css site.css true", "*.css deep/down/site.css true",
            "*.css site.csss false",
            "*.css sitecss false", "assets/* assets/app.js true", "assets/* assets/deep/app.js false",
            "assets/** assets/deep/app.js true", "/assets/** assets/app.js true", "assets/** other/assets/app.js false",
            "**/app.*.js a/b/app.0f.js true", "app-?.js app-1.js true", "app-?.js app-12.js false",
            "app-[0-9].js app-7.js true", "app-[0-9].js app-x.js false", "app-[!0-9].js app-x.js true",
            "*.{js,css} a/x.css true", "*.{js,css} a/x.html false", "a.b aXb false", "a+b(c) a+b(c) true",
            "[ab [ab true", "x{y x{y false", "a\\*b a*b true", "a\\*b axb false"})
    void patternMeansWhatItsTableSays(String glob, String path, boolean matches) {
        assertThat(new Glob(glob).matches(path)).as("%s on %s", glob, path).isEqualTo(matches);
    }

    @Test
    void slashAtTheFrontAnchorsANameToTheRoot() {
        assertThat(new Glob("/app.js").matches("app.js")).isTrue();
        assertThat(new Glob("/app.js").matches("deep/app.js")).isFalse();
    }
}
