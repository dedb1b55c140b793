package io.servery.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9110 §5.6 and §7.6.1.
class FieldSyntaxTest {
    // §5.6.1.2 Recipient requirements for lists

    @Test
    void emptyMembersAreIgnored() {
        assertThat(FieldSyntax.list(List.of("foo,bar"))).containsExactly("foo", "bar");
        assertThat(FieldSyntax.list(List.of("foo ,bar,"))).containsExactly("foo", "bar");
        assertThat(FieldSyntax.list(List.of("foo , ,bar,charlie"))).containsExactly("foo", "bar", "charlie");
    }

    @Test
    void listWithoutMembersIsEmpty() {
        assertThat(FieldSyntax.list(List.of(""))).isEmpty();
        assertThat(FieldSyntax.list(List.of(","))).isEmpty();
        assertThat(FieldSyntax.list(List.of(",   ,"))).isEmpty();
        assertThat(FieldSyntax.list(List.of())).isEmpty();
    }

    @Test
    void linesOfOneFieldAreOneList() {
        assertThat(FieldSyntax.list(List.of("a, b", "", "c"))).containsExactly("a", "b", "c");
    }

    @Test
    void commaInAQuotedStringSeparatesNothing() {
        assertThat(FieldSyntax.list(List.of("a=\"1,2\", b"))).containsExactly("a=\"1,2\"", "b");
        assertThat(FieldSyntax.list(List.of("a=\"\\\",\", b"))).containsExactly("a=\"\\\",\"", "b");
    }

    @Test
    void listWithAQuotedStringThatDoesNotEndIsNone() {
        assertThat(FieldSyntax.list(List.of("a, \"b"))).isNull();
        assertThat(FieldSyntax.list(List.of("a, \"b\\\""))).isNull();
        assertThat(FieldSyntax.list(List.of("\"a", "b\""))).isNull();
    }

    @Test
    void onlySpaceAndTabAreBlanks() {
        assertThat(FieldSyntax.list(List.of("\t a \t,\tb c "))).containsExactly("a", "b c");
        assertThat(FieldSyntax.list(List.of("a\u00a0,\u2003b"))).containsExactly("a\u00a0", "\u2003b");
    }

    // §5.6.2 Tokens

    @ParameterizedTest
    @ValueSource(strings = {"a", "GET", "!#$%&'*+-.^_`|~", "0123456789", "x-y", "AZ", "az"})
    void tokensAreTokens(String text) {
        assertThat(FieldSyntax.isToken(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a,b", "a\"", "(a)", "a/b", "a:b", "a;b", "a<b", "a=b", "a>b", "a?b", "a@b",
            "[a]", "a\\b", "{a}", "a\t", "a\u0000", "a\u007f", "\u00e9", "\u212a"})
    void delimitersAndOtherScriptsAreNoTokens(String text) {
        assertThat(FieldSyntax.isToken(text)).isFalse();
    }

    @Test
    void tokensOfAListAreInLowerCase() {
        assertThat(FieldSyntax.tokens(List.of("Close, , Keep-Alive"))).containsExactly("close", "keep-alive");
        assertThat(FieldSyntax.tokens(List.of("close, keep alive"))).isNull();
        assertThat(FieldSyntax.tokens(List.of("\"close\""))).isNull();
    }

    // §5.6.4 Quoted strings

    @Test
    void quotedStringSaysItsTextWithoutEscapes() {
        assertThat(FieldSyntax.unquote("\"\"")).isEmpty();
        assertThat(FieldSyntax.unquote("\"a b\tc\"")).isEqualTo("a b\tc");
        assertThat(FieldSyntax.unquote("\"a\\\"b\\\\c\\d\"")).isEqualTo("a\"b\\cd");
        assertThat(FieldSyntax.unquote("\"\u00e9\"")).isEqualTo("\u00e9");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "\"", "\"a", "a\"", "\"a\"b", "\"a\\\"", "\"a\\", "\"a\rb\"", "\"a\\\nb\"",
            "\"\u0000\"", "\"\u007f\"", "\"\u0100\""})
    void whatIsNoQuotedStringSaysNothing(String text) {
        assertThat(FieldSyntax.unquote(text)).isNull();
    }

    @Test
    void quotedStringEndsAfterItsQuoteOrNowhere() {
        assertThat(FieldSyntax.quotedStringEnd("x=\"a\\\"b\"; y", 2)).isEqualTo(8);
        assertThat(FieldSyntax.quotedStringEnd("", 0)).isEqualTo(-1);
        assertThat(FieldSyntax.quotedStringEnd("a", 0)).isEqualTo(-1);
        assertThat(FieldSyntax.quotedStringEnd("\"a", 0)).isEqualTo(-1);
        assertThat(FieldSyntax.quotedStringEnd("\"a\\", 0)).isEqualTo(-1);
        assertThat(FieldSyntax.quotedStringEnd("\"a\r\"", 0)).isEqualTo(-1);
    }

    // §7.6.1 Connection

    @Test
    void absentConnectionAsksForNothing() {
        assertThat(FieldSyntax.connectionOptions(Fields.NONE))
                .isEqualTo(new ConnectionOptions(false, false, false, false));
    }

    @Test
    void optionsAreCaseInsensitive() {
        assertThat(connection("CLOSE").close()).isTrue();
        assertThat(connection("Keep-Alive").keepAlive()).isTrue();
        assertThat(connection("uPgRaDe").upgrade()).isTrue();
    }

    @Test
    void optionsAreReadFromAnyPlaceOfAnyLine() {
        assertThat(connection("x-hop, ,\tclose", "keep-alive,"))
                .isEqualTo(new ConnectionOptions(true, true, false, false));
        assertThat(connection("close, keep-alive, foo")).isEqualTo(new ConnectionOptions(true, true, false, false));
        assertThat(connection("upgrade", "", "foo")).isEqualTo(new ConnectionOptions(false, false, true, false));
    }

    @Test
    void wordsThatContainAnOptionAreOthers() {
        assertThat(connection("closed, xclose, close-, keep-alives, keep_alive"))
                .isEqualTo(new ConnectionOptions(false, false, false, false));
    }

    @Test
    void whatIsNoListOfTokensIsMalformedAndKeepsWhatStoodBefore() {
        assertThat(connection("close; x")).isEqualTo(new ConnectionOptions(false, false, false, true));
        assertThat(connection("close, \"keep-alive\"")).isEqualTo(new ConnectionOptions(true, false, false, true));
        assertThat(connection("close keep-alive").malformed()).isTrue();
        assertThat(connection("\u212aeep-alive").malformed()).isTrue();
    }

    private static ConnectionOptions connection(String... lines) {
        return FieldSyntax.connectionOptions(Fields.of(FieldName.CONNECTION, lines));
    }
}
