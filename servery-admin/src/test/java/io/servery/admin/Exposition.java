package io.servery.admin;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A strict reader of both text formats: every line must be one that the format has, in its place.
///
/// Prometheus text 0.0.4: HELP and TYPE once before the samples of their family, families not interleaved. OpenMetrics
/// 1.0.0 besides: no empty line, `# EOF` last, a counter's samples end in `_total`, an info's in `_info`.
final class Exposition {
    private static final Pattern META = Pattern.compile("# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (\\S.*)");
    private static final Pattern SAMPLE = Pattern.compile(
            "([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? ([-+]?(?:[0-9]+(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|Inf)|NaN)");
    private static final Pattern LABEL = Pattern
            .compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\\n]|\\\\[\\\\n\"])*)\"(,|$)");

    /// One line with a value.
    record Sample(String name, Map<String, String> labels, double value) {
    }

    /// A family as its TYPE line names it.
    record Family(String name, String type, List<Sample> samples) {
    }

    private final boolean openMetrics;
    private final Map<String, Family> families = new LinkedHashMap<>();
    private final Map<String, String> helps = new LinkedHashMap<>();
    private Family current;

    private Exposition(boolean openMetrics) {
        this.openMetrics = openMetrics;
    }

    static Map<String, Family> parsePrometheus(byte[] content) {
        return new Exposition(false).parse(lines(content));
    }

    static Map<String, Family> parseOpenMetrics(byte[] content) {
        List<String> lines = lines(content);
        require(lines.getLast().equals("# EOF"), "the last line", lines.getLast());
        return new Exposition(true).parse(lines.subList(0, lines.size() - 1));
    }

    private static List<String> lines(byte[] content) {
        String text = new String(content, StandardCharsets.UTF_8);
        require(text.endsWith("\n"), "the end", text.substring(Math.max(0, text.length() - 20)));
        return Arrays.asList(text.substring(0, text.length() - 1).split("\n", -1));
    }

    private Map<String, Family> parse(List<String> lines) {
        for (String line : lines) {
            Matcher meta = META.matcher(line);
            if (meta.matches()) {
                meta(meta.group(1), meta.group(2), meta.group(3));
            } else {
                sample(line);
            }
        }
        require(helps.keySet().equals(families.keySet()), "HELP and TYPE of the same families", helps.keySet());
        return families;
    }

    private void meta(String kind, String name, String rest) {
        if (kind.equals("HELP")) {
            require(helps.put(name, rest) == null, "one HELP", name);
        } else {
            current = new Family(name, rest, new ArrayList<>());
            require(families.put(name, current) == null, "one TYPE", name);
        }
    }

    private void sample(String line) {
        Matcher matcher = SAMPLE.matcher(line);
        require(matcher.matches(), "a sample", line);
        Sample sample = new Sample(matcher.group(1), labels(matcher.group(2)), value(matcher.group(3)));
        require(current != null && names(current).contains(sample.name()), "a sample of its family", line);
        require(current.samples()
                .stream()
                .noneMatch(one -> one.name().equals(sample.name()) && one.labels().equals(sample.labels())),
                "a new series", line);
        current.samples().add(sample);
    }

    private List<String> names(Family family) {
        String name = family.name();
        return switch (family.type()) {
            case "counter" -> List.of(openMetrics ? name + "_total" : name);
            case "gauge" -> List.of(name);
            case "histogram" -> List.of(name + "_bucket", name + "_count", name + "_sum");
            case "summary" -> List.of(name + "_count", name + "_sum");
            case "info" -> openMetrics ? List.of(name + "_info") : List.of();
            default -> throw new AssertionError("found type " + family.type());
        };
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new TreeMap<>();
        if (text == null) {
            return labels;
        }
        Matcher matcher = LABEL.matcher(text);
        int at = 0;
        while (at < text.length()) {
            require(matcher.find(at) && matcher.start() == at, "a label", text.substring(at));
            require(labels.put(matcher.group(1), matcher.group(2)) == null, "one label of a name", text);
            at = matcher.end();
        }
        return labels;
    }

    private static double value(String text) {
        return Double.parseDouble(text.replace("Inf", "Infinity"));
    }

    private static void require(boolean held, String expected, Object found) {
        if (!held) {
            throw new AssertionError("exposition: found " + found + "; expected " + expected);
        }
    }
}
