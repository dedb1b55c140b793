package io.servery.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class AdminValuesTest {
    @Test
    void whatIsNotReadySaysWhyInWords() {
        assertThatIllegalArgumentException().isThrownBy(() -> Health.notReady(List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> Health.notReady(List.of("two\nlines")));
        assertThatIllegalArgumentException().isThrownBy(() -> new Health(false, true, List.of("draining")));
    }

    @Test
    void tokenNeverShowsInText() {
        AdminToken token = AdminToken.of("correct-horse");

        assertThat(AdminOptions.standard(HostPolicy.unixSocket(), token).toString()).doesNotContain("correct-horse");
        assertThatIllegalArgumentException().isThrownBy(() -> AdminToken.of("")).withMessageNotContaining("horse");
        assertThatIllegalArgumentException().isThrownBy(() -> AdminToken.of("a horse"))
                .withMessageNotContaining("a horse");
    }

    @Test
    void publicBindNeedsAToken() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AdminOptions.standard(new HostPolicy.PublicBind(), null))
                .withMessageContaining("metrics.token");
    }

    @Test
    void pathsAreThreeAndAbsolute() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AdminOptions("/a", "/a", "/m", HostPolicy.unixSocket(), null));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AdminOptions("a", "/b", "/m", HostPolicy.unixSocket(), null));
    }
}
