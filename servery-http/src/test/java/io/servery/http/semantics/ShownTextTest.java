package io.servery.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Names shown in pages, and JSON strings (RFC 8259 §7).
class ShownTextTest {
    private static final Pattern ESCAPE = Pattern.compile("\\\\(u([0-9a-f]{4})|[\"\\\\nrt])");

    private static String json(String text) {
        StringBuilder json = new StringBuilder();
        JsonString.append(json, text);
        return json.toString();
    }

    @ParameterizedTest
    @ValueSource(chars = {'\t', '\n', '\r', '\0', '\u001b', '\u0085', '\u00ad', '\u061c', '\u200b', '\u200e', '\u200f',
            '\u2028', '\u2029', '\u202a', '\u202e', '\u2060', '\u2066', '\u2069', '\ufeff'})
    void characterThatMakesANameReadAsAnotherIsSeen(char hidden) {
        assertThat(Html.escapeName("evil" + hidden + "gnp.exe")).isEqualTo("evil\uFFFDgnp.exe");
        assertThat(json("evil" + hidden + "gnp.exe")).matches("\"evil\\\\(u[0-9a-f]{4}|[nrt])gnp.exe\"");
    }

    @Test
    void nameIsOtherwiseAsItIs() {
        for (String name : new String[]{"sp\u00e4\u00df \u05e9\u05dc.txt", "\ud83d\udc68\u200d\ud83d\udc69",
                " a  b "}) {
            assertThat(Html.escapeName(name)).isSameAs(name);
            assertThat(json(name)).isEqualTo('"' + name + '"');
        }
        assertThat(Html.escapeName("<a href='\"&")).isEqualTo("&lt;a href=&#39;&quot;&amp;");
        assertThat(json("\"\\<>&'")).isEqualTo("\"\\\"\\\\\\u003c\\u003e\\u0026\\u0027\"");
    }

    @Property
    void nameInAPageIsOneRunOfText(@ForAll String name) {
        assertThat(Html.escapeName(name).replaceAll("&(amp|lt|gt|quot|#39);", ""))
                .doesNotContainPattern("[<>\"'&\\p{Cntrl}\u202a-\u202e]");
    }

    @Property
    void jsonStringIsReadBack(@ForAll String text) {
        String json = json(text);
        assertThat(json).startsWith("\"").endsWith("\"").doesNotContainPattern("[<>&'\\p{Cntrl}]");
        String inner = json.substring(1, json.length() - 1);
        assertThat(ESCAPE.matcher(inner).replaceAll("")).doesNotContain("\"", "\\");
        String read = ESCAPE.matcher(inner).replaceAll(found -> Matcher.quoteReplacement(unescaped(found.group(1))));
        assertThat(read).isEqualTo(wellFormed(text));
    }

    private static String unescaped(String escape) {
        return switch (escape.charAt(0)) {
            case 'u' -> String.valueOf((char) Integer.parseInt(escape.substring(1), 16));
            case 'n' -> "\n";
            case 'r' -> "\r";
            case 't' -> "\t";
            default -> escape;
        };
    }

    /// Unpaired surrogates as U+FFFD, by way of UTF-16, whose decoder is not ours.
    private static String wellFormed(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).equals(text)
                ? text
                : text.codePoints()
                        .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xFFFD : c)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
    }
}
