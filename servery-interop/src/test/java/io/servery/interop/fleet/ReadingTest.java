package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the tests of this package read JSON and metrics with reads them right, and notices what is wrong.
class ReadingTest {
    @Test
    void jsonIsRead() {
        assertThat(Json.parse(" {\"a\": [1, -2.5e1, true, null, \"\\u0041\\n\\\"\"], \"b\": {}} "))
                .isEqualTo(Map.of("a", Arrays.asList(1.0, -25.0, true, null, "A\n\""), "b", Map.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{\"a\":1,}", "{\"a\":1,\"a\":2}", "[1 2]", "\"\n\"", "\"\\x\"", "{} {}", "tru"})
    void whatIsNoJsonIsSeen(String text) {
        assertThatThrownBy(() -> Json.parse(text)).isInstanceOf(AssertionError.class);
    }

    @Test
    void countersThatFallOrGoAreSeen() {
        Metrics before = Metrics.of("""
                # TYPE servery_requests_total counter
                servery_requests_total{code="200",transport="h1"} 5
                servery_requests_total{code="404",transport="h1"} 2
                servery_connections_active{transport="h1"} 9
                jvm_x_total{slot="0"} 8
                """);
        Metrics after = Metrics.of("servery_requests_total{code=\"200\",transport=\"h1\"} 4\n");
        assertThat(after.fallenSince(before)).hasSize(2);
        assertThat(before.fallenSince(after)).isEmpty();
        assertThat(before.sum("servery_requests_total")).isEqualTo(7);
        assertThat(List.of(before.sum("servery_requests_total{code=\"404\""), before.sum("none"))).containsExactly(2.0,
                0.0);
    }
}
