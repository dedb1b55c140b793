package io.servery.admin;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.servery.core.metric.MetricFamily;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/// The two text formats of `/metrics`, and the choice between them.
enum ExpositionFormat {
    PROMETHEUS("text/plain; version=0.0.4; charset=utf-8"),
    OPENMETRICS("application/openmetrics-text; version=1.0.0; charset=utf-8");

    private static final int BYTES_INITIAL = 32 * 1024;

    private final String contentType;

    ExpositionFormat(String contentType) {
        this.contentType = contentType;
    }

    String contentType() {
        return contentType;
    }

    /// OpenMetrics when it is asked for by name and not less than plain text; else Prometheus text, whatever is asked
    /// for: a scraper that takes only the binary format still gets something it can name in its log.
    static ExpositionFormat accepted(List<String> accept) {
        double openMetrics = 0;
        double text = 0;
        for (MediaRange range : MediaRange.parse(accept)) {
            if (range.isOpenMetrics1()) {
                openMetrics = Math.max(openMetrics, range.quality());
            } else if (range.isPlainText()) {
                text = Math.max(text, range.quality());
            }
        }
        return openMetrics > 0 && openMetrics >= text ? OPENMETRICS : PROMETHEUS;
    }

    /// The families as this format writes them, in UTF-8.
    byte[] print(List<MetricFamily> families) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(BYTES_INITIAL);
        try {
            writer().write(out, ExpositionModel.of(families), EscapingScheme.UNDERSCORE_ESCAPING);
        } catch (IOException e) {
            throw new UncheckedIOException("an array cannot fail", e);
        }
        return out.toByteArray();
    }

    private ExpositionFormatWriter writer() {
        return switch (this) {
            case PROMETHEUS -> PrometheusTextFormatWriter.create();
            case OPENMETRICS -> OpenMetricsTextFormatWriter.create();
        };
    }
}
