package io.servery.interop.fleet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// One page of `/metrics`.
///
/// @param samples values by series, labels included
public record Metrics(Map<String, Double> samples) {
    /// What is counted over the life of the service; process and JVM figures are those of one process.
    private static final Pattern COUNTED = Pattern.compile("servery_.*_(total|bucket|count|sum)(\\{.*)?");

    static Metrics of(String page) {
        Map<String, Double> samples = new LinkedHashMap<>();
        page.lines().filter(line -> !line.startsWith("#") && !line.isBlank()).forEach(line -> {
            int end = line.lastIndexOf('}') + 1;
            int blank = line.indexOf(' ', end);
            samples.put(line.substring(0, blank), Double.valueOf(line.substring(blank + 1).split(" ", -1)[0]));
        });
        return new Metrics(samples);
    }

    /// The sum of the series whose text begins so.
    ///
    /// @param labels that they have besides, written `name="value"`.
    public double sum(String series, String... labels) {
        return samples.entrySet().stream().filter(sample -> sample.getKey().startsWith(series))
                .filter(sample -> Arrays.stream(labels).allMatch(sample.getKey()::contains))
                .mapToDouble(Map.Entry::getValue).sum();
    }

    public boolean has(String series) {
        return samples.keySet().stream().anyMatch(name -> name.startsWith(series));
    }

    /// The counters that are lower than they were before, or are gone.
    List<String> fallenSince(Metrics before) {
        List<String> fallen = new ArrayList<>();
        before.samples().forEach((series, value) -> {
            if (COUNTED.matcher(series).matches()) {
                Double now = samples.get(series);
                if (now == null || now < value) {
                    fallen.add(series + ": " + value + ", then " + now);
                }
            }
        });
        return fallen;
    }
}
