package io.servery.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Queries as forms write them (URL Standard, application/x-www-form-urlencoded).
class FormQueryTest {
    @Test
    void valueIsThatOfTheFirstParameterOfItsName() {
        assertThat(FormQuery.value("q=a&q=b", "q")).isEqualTo("a");
        assertThat(FormQuery.value("xq=a&q=b&qq=c", "q")).isEqualTo("b");
        assertThat(FormQuery.value("&&q=&", "q")).isEmpty();
        assertThat(FormQuery.value("a=q=1&q=2=3", "q")).isEqualTo("2=3");
    }

    @Test
    void parameterThatIsNotThereHasNoValue() {
        assertThat(FormQuery.value(null, "q")).isNull();
        for (String query : new String[]{"", "q", "&", "sort=name", "Q=a", "%71=a"}) {
            assertThat(FormQuery.value(query, "q")).as(query).isNull();
        }
    }

    @Test
    void plusIsASpaceAndEscapesAreUtf8() {
        assertThat(FormQuery.value("q=a+b%2Bc%20d%C3%a9", "q")).isEqualTo("a b+c d\u00e9");
    }

    @ParameterizedTest
    @ValueSource(strings = {"q=%", "q=%4", "q=%GG", "q=%C3", "q=%FF", "q=%C0%AF", "q=%ED%A0%80", "q=\u00e9"})
    void valueThatIsNoTextIsNone(String query) {
        assertThat(FormQuery.value(query, "q")).isNull();
    }

    @Property
    void whatAFormWritesIsReadBack(@ForAll String text) {
        String wellFormed = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        String query = "a=1&q=" + URLEncoder.encode(wellFormed, StandardCharsets.UTF_8) + "&b=2";
        assertThat(FormQuery.value(query, "q")).isEqualTo(wellFormed);
    }
}
