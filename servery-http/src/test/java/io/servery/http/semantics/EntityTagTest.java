package io.servery.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9110 §8.8.
class EntityTagTest {
    // §8.8.2.1 Generation of Last-Modified

    @Test
    void lastModifiedIsNeverSentLaterThanDate() {
        assertThat(new Validators(null, 100).lastModifiedSent(200)).isEqualTo(100);
        assertThat(new Validators(null, 300).lastModifiedSent(200)).isEqualTo(200);
        assertThat(new Validators(null, Validators.UNKNOWN).lastModifiedSent(200)).isEqualTo(Validators.UNKNOWN);
    }

    @Test
    void timeThatNoDateCanNameIsUnknown() {
        assertThat(new Validators(null, HttpDate.LATEST + 1).hasLastModified()).isFalse();
        assertThat(new Validators(null, HttpDate.EARLIEST - 1).hasLastModified()).isFalse();
        assertThat(new Validators(null, HttpDate.LATEST).hasLastModified()).isTrue();
        assertThat(new Validators(null, Validators.UNKNOWN).hasLastModified()).isFalse();
    }

    // §8.8.3 ETag

    @Test
    void examplesOfTheRfcAreTags() {
        assertThat(EntityTag.parse("\"xyzzy\"")).isEqualTo(new EntityTag("xyzzy", false));
        assertThat(EntityTag.parse("W/\"xyzzy\"")).isEqualTo(new EntityTag("xyzzy", true));
        assertThat(EntityTag.parse("\"\"")).isEqualTo(new EntityTag("", false));
    }

    @Test
    void backslashAndCommaArePartOfATag() {
        assertThat(EntityTag.parse("\"a\\b,c\"")).isEqualTo(new EntityTag("a\\b,c", false));
        assertThat(EntityTag.parse("\"!#~\u0080\u00ff\"")).isEqualTo(new EntityTag("!#~\u0080\u00ff", false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"", "W", "W/", "W/\"", "xyzzy", "\"xyzzy", "xyzzy\"", "w/\"xyzzy\"", "W\"xyzzy\"",
            "W /\"a\"", "W/ \"a\"", "/\"a\"", "'a'", "\"a b\"", "\"a\tb\"", "\"a\"b\"", "\"a\\\"b\"", "\"a\" ",
            " \"a\"",
            "\"a\",\"b\"", "\"\u007f\"", "\"\u0000\"", "\"\u0100\"", "*", "\"a\u001f\""})
    void whatIsNoSingleTagIsNone(String text) {
        assertThat(EntityTag.parse(text)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"", "a b", "\u007f", "\r", "\u0100"})
    void tagCannotBeMadeOfOtherCharacters(String opaque) {
        assertThatThrownBy(() -> new EntityTag(opaque, false)).isInstanceOf(IllegalArgumentException.class);
    }

    // §8.8.3.2 Comparison, the table of the RFC

    @ParameterizedTest
    @CsvSource(quoteCharacter = '\'', value = {"W/\"1\", W/\"1\", false, true", "W/\"1\", W/\"2\", false, false",
            "W/\"1\", \"1\", false, true", "\"1\", \"1\", true, true"})
    void comparisonIsTheTableOfTheRfc(String one, String other, boolean strong, boolean weak) {
        EntityTag first = EntityTag.parse(one);
        EntityTag second = EntityTag.parse(other);
        assertThat(first.strongMatch(second)).isEqualTo(strong);
        assertThat(second.strongMatch(first)).isEqualTo(strong);
        assertThat(first.weakMatch(second)).isEqualTo(weak);
        assertThat(second.weakMatch(first)).isEqualTo(weak);
    }

    @Test
    void comparisonIsExact() {
        assertThat(new EntityTag("a", false).weakMatch(new EntityTag("A", false))).isFalse();
        assertThat(new EntityTag("a", false).matches("\"ab\"", 0, true)).isFalse();
        assertThat(new EntityTag("ab", false).matches("\"a\"", 0, true)).isFalse();
    }

    // §13.1.1 and §13.1.2: lists of tags

    @Test
    void listIsReadOverAllLines() {
        assertThat(EntityTag.parseList(List.of("\"a\", W/\"b\" ,", ",\t\"c,d\"", "")))
                .isEqualTo(new EntityTags.Listed(List.of(new EntityTag("a", false), new EntityTag("b", true),
                        new EntityTag("c,d", false))));
        assertThat(EntityTag.parseList(List.of(""))).isEqualTo(new EntityTags.Listed(List.of()));
    }

    @Test
    void asteriskAloneIsAny() {
        assertThat(EntityTag.parseList(List.of("*"))).isEqualTo(new EntityTags.Any());
    }

    @ParameterizedTest
    @ValueSource(strings = {"*, \"a\"", "\"a\", *", "**", "\"a\" \"b\"", "\"a\"; q=1", "\"a\", b", "\"a\", \"b",
            "w/\"a\"", "\"a\",\"b\"c"})
    void anythingElseIsMalformed(String line) {
        assertThat(EntityTag.parseList(List.of(line))).isEqualTo(new EntityTags.Malformed());
        assertThat(EntityTag.parseList(List.of("\"ok\"", line))).isEqualTo(new EntityTags.Malformed());
    }

    @Test
    void asteriskOnOneOfSeveralLinesIsMalformed() {
        assertThat(EntityTag.parseList(List.of("*", "\"a\""))).isEqualTo(new EntityTags.Malformed());
        assertThat(EntityTag.parseList(List.of("*", "*"))).isEqualTo(new EntityTags.Malformed());
    }

    @Property
    void everyTagIsReadBackFromItsText(@ForAll("tags") EntityTag tag) {
        assertThat(EntityTag.parse(tag.toString())).isEqualTo(tag);
        assertThat(tag.matches(tag.toString(), 0, false)).isTrue();
        assertThat(tag.matches(tag.toString(), 0, true)).isEqualTo(!tag.weak());
    }

    @Property
    void everyListIsReadBackFromItsText(@ForAll("lists") List<EntityTag> tags) {
        String line = String.join(" ,\t,", tags.stream().map(EntityTag::toString).toList());
        assertThat(EntityTag.parseList(List.of(line))).isEqualTo(new EntityTags.Listed(tags));
    }

    @Property
    void parsingNeverThrows(@ForAll String text) {
        EntityTag tag = EntityTag.parse(text);
        assertThat(tag == null || tag.toString().equals(text)).isTrue();
        assertThat(EntityTag.parseList(List.of(text, text))).isNotNull();
    }

    @Provide
    Arbitrary<EntityTag> tags() {
        Arbitrary<String> opaque = Arbitraries.strings().withChars('!').withCharRange('#', '~')
                .withCharRange('\u0080', '\u00ff').ofMaxLength(12);
        return opaque.flatMap(text -> Arbitraries.of(true, false).map(weak -> new EntityTag(text, weak)));
    }

    @Provide
    Arbitrary<List<EntityTag>> lists() {
        return tags().list().ofMaxSize(5);
    }
}
