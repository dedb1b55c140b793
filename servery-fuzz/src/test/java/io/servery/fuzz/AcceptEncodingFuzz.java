package io.servery.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.servery.http.semantics.AcceptEncoding;
import io.servery.http.semantics.ContentCoding;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Any lines as an Accept-Encoding field (RFC 9110 §12.5.3).
class AcceptEncodingFuzz {
    private static final Pattern MEMBER = Pattern.compile(
            "([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:[ \\t]*;[ \\t]*[qQ]=(0(?:\\.[0-9]{0,3})?|1(?:\\.0{0,3})?))?");

    @FuzzTest
    void acceptEncoding(byte[] bytes) {
        List<String> lines = Arrays.asList(new String(bytes, ISO_8859_1).split("\n", -1));
        AcceptEncoding found = Cost.within(100_000 + 1000L * bytes.length, () -> AcceptEncoding.parse(lines));
        Invariant.same(expected(lines).toString(), found.codings().toString(), () -> "codings of " + lines);
    }

    /// The same by a regular expression and a map.
    private static List<ContentCoding> expected(List<String> lines) {
        Map<String, Double> said = new HashMap<>();
        for (String line : lines) {
            for (String member : line.split(",", -1)) {
                String text = member.replaceAll("^[ \\t]+|[ \\t]+$", "");
                Matcher parts = MEMBER.matcher(text);
                if (!text.isEmpty() && !parts.matches()) {
                    return List.of();
                }
                if (!text.isEmpty()) {
                    String name = parts.group(1).toLowerCase(Locale.ROOT);
                    said.putIfAbsent(name.equals("x-gzip") ? "gzip" : name,
                            parts.group(2) == null ? 1.0 : Double.parseDouble(parts.group(2)));
                }
            }
        }
        double any = said.getOrDefault("*", 0.0);
        double plain = said.getOrDefault("identity", any);
        return Arrays.stream(ContentCoding.values())
                .filter(coding -> said.getOrDefault(coding.token(), any) > 0)
                .filter(coding -> said.getOrDefault(coding.token(), any) >= plain)
                .sorted((a, b) -> Double.compare(said.getOrDefault(b.token(), any), said.getOrDefault(a.token(), any)))
                .toList();
    }
}
