package io.servery.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which format an `Accept` gets (RFC 9110 §12.5.1).
class ExpositionFormatTest {
    @ParameterizedTest
    @ValueSource(strings = {"application/openmetrics-text", "application/openmetrics-text; version=1.0.0",
            "APPLICATION/OpenMetrics-Text;Version=1.0.0;charset=utf-8",
            "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
                    + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
            "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,text/plain;version=0.0.4;q=0.3",
            "text/plain;q=0.5, application/openmetrics-text;q=0.5",
            "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.7,"
                    + "application/openmetrics-text;version=1.0.0;q=0.6,text/plain;q=0.5"})
    void openMetricsWhereItIsNamedAndNotLessThanText(String accept) {
        assertThat(ExpositionFormat.accepted(List.of(accept))).isEqualTo(ExpositionFormat.OPENMETRICS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*/*", "text/plain", "text/html,*/*;q=0.8", "application/*",
            "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited",
            "application/openmetrics-text;q=0", "application/openmetrics-text;q=0.4,text/plain;q=0.5",
            "application/openmetrics-text;version=0.0.1", "application/openmetrics-text;version=2.0.0",
            "application/openmetrics-text;q=nonsense", "application/openmetrics-text;q=2", ",;,=;q", ";;;"})
    void prometheusTextInEveryOtherCase(String accept) {
        assertThat(ExpositionFormat.accepted(List.of(accept))).isEqualTo(ExpositionFormat.PROMETHEUS);
    }

    @Test
    void absentAcceptGetsPrometheusText() {
        assertThat(ExpositionFormat.accepted(List.of())).isEqualTo(ExpositionFormat.PROMETHEUS);
    }

    @Test
    void severalLinesAreOneList() {
        assertThat(ExpositionFormat.accepted(List.of("text/plain;q=0.5", "application/openmetrics-text")))
                .isEqualTo(ExpositionFormat.OPENMETRICS);
    }

    @Property(tries = 500)
    void noAcceptThrows(@ForAll List<String> accept) {
        assertThat(ExpositionFormat.accepted(accept)).isNotNull();
    }
}
