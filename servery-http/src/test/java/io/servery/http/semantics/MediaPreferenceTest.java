package io.servery.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Accept (RFC 9110 §12.5.1) between HTML, the favourite, and JSON.
class MediaPreferenceTest {
    private static final String HTML = "text/html";
    private static final String JSON = "application/json";

    private static String preferred(String... accept) {
        return MediaPreference.of(accept.length == 0 ? Fields.NONE : Fields.of(FieldName.ACCEPT, accept),
                List.of(HTML, JSON));
    }

    // RFC 9110 §12.4.2 Quality values

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"application/json|application/json",
            "application/json;q=0.9, text/html;q=0.8|application/json",
            "application/json;q=0.8, text/html;q=0.9|text/html", "text/html;q=0.001, application/json;q=0|text/html",
            "text/html;q=0, application/json;q=0.001|application/json", "text/html;q=0|text/html",
            "application/json;q=1.000, text/html;q=0.999|application/json",
            "application/json ; Q=0.5 , text/html;q=0.4|application/json",
            "text/html;q=0.5, application/json|application/json", "APPLICATION/JSON|application/json"})
    void greatestWeightWins(String accept, String chosen) {
        assertThat(preferred(accept)).isEqualTo(chosen);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.001", "2", "0.1234", "", ".5", "-1", "0,5", "1.1", "abc", "0x1", "\"1\"", "01"})
    void memberWithABrokenWeightCountsForNothing(String weight) {
        assertThat(preferred("application/json;q=" + weight)).isEqualTo(HTML);
        assertThat(preferred("application/json;q=" + weight + ", application/json;q=0.1")).isEqualTo(JSON);
    }

    // RFC 9110 §12.5.1 Accept

    @Test
    void favouriteIsChosenWithoutAnyPreference() {
        assertThat(preferred()).isEqualTo(HTML);
        assertThat(preferred("")).isEqualTo(HTML);
        assertThat(preferred("*/*")).isEqualTo(HTML);
        assertThat(preferred("application/json, text/html")).isEqualTo(HTML);
    }

    @Test
    void favouriteIsChosenWhenNothingIsAcceptable() {
        assertThat(preferred("image/png")).isEqualTo(HTML);
        assertThat(preferred("*/*;q=0")).isEqualTo(HTML);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"text/*;q=0.9, application/*;q=0.5|text/html",
            "*/*;q=0.9, text/html;q=0.1|application/json", "*/*, text/*;q=0.1|application/json",
            "application/*;q=0.1, application/json;q=0.9, text/html;q=0.5|application/json",
            "application/*, application/json;q=0, text/html;q=0.1|text/html"})
    void mostExactRangeGivesTheWeight(String accept, String chosen) {
        assertThat(preferred(accept)).isEqualTo(chosen);
    }

    @Test
    void amongEqualWeightsTheTypeThatIsNamedWins() {
        assertThat(preferred("application/json, text/plain, */*")).isEqualTo(JSON);
        assertThat(preferred("application/json, */*;q=0.9")).isEqualTo(JSON);
        assertThat(preferred("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")).isEqualTo(HTML);
    }

    @Test
    void rangeWithParametersMeansAnotherTypeButCharsetIsNone() {
        assertThat(preferred("application/json;profile=x")).isEqualTo(HTML);
        assertThat(preferred("application/json;charset=utf-8")).isEqualTo(JSON);
        assertThat(preferred("application/json;charset=\"utf-8\";q=0.5;ext=1, text/html;q=0.4")).isEqualTo(JSON);
        assertThat(preferred("application/json;;")).isEqualTo(JSON);
    }

    @Test
    void linesOfTheFieldAreOneList() {
        assertThat(preferred("text/html;q=0.2", "image/png, application/json;q=0.3")).isEqualTo(JSON);
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "/json", "application/", "*/json", "application json", "application/json x",
            "application/json;q", "application/json;=1", "application/json;a=\"b", "application//json"})
    void whatIsNoMediaRangeCountsForNothing(String accept) {
        assertThat(preferred(accept)).isEqualTo(HTML);
    }

    @Property
    void anyValueChoosesOneOfWhatIsOffered(
            @ForAll @StringLength(max = 60) @Chars({'/', '*', ';', 'q', '=', ',', '"', '\\', '.', ' ',
                    'a'}) @CharRange(from = '0', to = '1') String value) {
        assertThat(preferred(value, "application/json;q=0.5")).isIn(HTML, JSON);
    }
}
