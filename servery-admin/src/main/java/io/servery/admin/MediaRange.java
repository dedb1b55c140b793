package io.servery.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One element of `Accept` (RFC 9110 §12.5.1), as far as the choice of an exposition format needs it. What cannot be
/// read is passed over.
record MediaRange(String type, String version, double quality) {
    private static final Pattern QUALITY = Pattern.compile("0(?:\\.[0-9]{0,3})?|1(?:\\.0{0,3})?");

    static List<MediaRange> parse(List<String> lines) {
        List<MediaRange> ranges = new ArrayList<>();
        for (String line : lines) {
            for (String element : line.split(",", -1)) {
                ranges.add(parse(element));
            }
        }
        return ranges;
    }

    /// Version 1.0.0, or any; the version before it had other rules.
    boolean isOpenMetrics1() {
        return type.equals("application/openmetrics-text") && (version.isEmpty() || version.equals("1.0.0"));
    }

    boolean isPlainText() {
        return type.equals("text/plain");
    }

    private static MediaRange parse(String element) {
        String[] parts = element.split(";", -1);
        String version = "";
        double quality = 1;
        for (int i = 1; i < parts.length; i++) {
            String[] pair = parts[i].split("=", 2);
            String name = pair[0].strip().toLowerCase(Locale.ROOT);
            String value = pair.length == 2 ? pair[1].strip() : "";
            if (name.equals("version")) {
                version = value;
            } else if (name.equals("q")) {
                Matcher number = QUALITY.matcher(value);
                quality = number.matches() ? Double.parseDouble(value) : 0;
            }
        }
        return new MediaRange(parts[0].strip().toLowerCase(Locale.ROOT), version, quality);
    }
}
