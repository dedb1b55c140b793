package io.servery.http.exchange;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.servery.http.semantics.FieldName;
import io.servery.http.semantics.Method;
import io.servery.http.semantics.Status;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The refusal table, heads and field names.
class ExchangeVocabularyTest {
    @ParameterizedTest
    @EnumSource(Refusal.class)
    void everyRefusalHasItsPageInOurWords(Refusal refusal) {
        ResponsePlan plan = new RefusalPages(true).plan(refusal);
        assertThat(plan.head().status()).isEqualTo(refusal.status());
        assertThat(Status.phrase(refusal.status())).isNotEmpty();
        assertThat(refusal.rule()).startsWith("RFC ");
        assertThat(plan.head().value("Servery-Reason")).isEqualTo(refusal.reason().code());
        assertThat(plan.head().value("Retry-After") != null)
                .isEqualTo(refusal.status() == 503 || refusal.status() == 429);
        assertThat(new RefusalPages(false).plan(refusal).head().value("Servery-Reason")).isNull();
    }

    @ParameterizedTest
    @EnumSource(Refusal.class)
    void whatMakesTheEndOfAMessageUnsureClosesTheConnection(Refusal refusal) {
        boolean unsure = List
                .of("BAD_FRAMING", "BAD_FIELD", "BAD_TARGET", "BAD_HOST", "HEAD_TOO_LARGE", "BODY_TOO_LARGE",
                        "TARGET_TOO_LONG", "UNSUPPORTED_VERSION", "UNSUPPORTED_CODING")
                .contains(refusal.reason().name());
        if (unsure) {
            assertThat(refusal.fate()).isEqualTo(Refusal.Fate.CLOSE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nb", "a\nb", "a\rb", "a\u0000b", "a\u007fb", "\u0100", "\u2028"})
    void aResponseFieldNeverEndsItsLine(String value) {
        assertThatThrownBy(() -> ResponseHead.status(200).with("Name", value))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:", "a\r\n", "a\u0000", "\u00e9"})
    void aResponseFieldHasATokenForItsName(String name) {
        assertThatThrownBy(() -> ResponseHead.status(200).with(name, "value"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aHeadIsEncodedOnceWithoutWhatBelongsToOneMessage() {
        ResponseHead head = ResponseHead.status(200).with("A", "b").length(3);
        assertThat(new String(head.http1(), ISO_8859_1)).isEqualTo("HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 3\r\n");
        assertThat(head.http1()).isSameAs(head.http1());
    }

    @Test
    void contentThatIsNotAsLongAsItsHeadSaysIsNoPlan() {
        assertThatThrownBy(() -> new ResponsePlan.Bytes(ResponseHead.status(200).length(2), new byte[3]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource(FieldName.class)
    void everyKnownNameIsFoundInAnyCase(FieldName name) {
        for (String spelled : new String[]{name.canonical(), name.lowerCase(),
                name.canonical().toUpperCase(Locale.ROOT)}) {
            assertThat(FieldNameTable.ordinal(spelled.getBytes(ISO_8859_1), 0, spelled.length()))
                    .isEqualTo(name.ordinal());
        }
    }

    @ParameterizedTest
    @EnumSource(FieldName.class)
    void aNameWithOneOtherLetterIsNotKnown(FieldName name) {
        byte[] bytes = name.canonical().getBytes(ISO_8859_1);
        for (int i = 0; i < bytes.length; i++) {
            byte before = bytes[i];
            bytes[i] = (byte) (before ^ 0x40);
            assertThat(FieldNameTable.ordinal(bytes, 0, bytes.length)).isNotEqualTo(name.ordinal());
            bytes[i] = before;
        }
    }

    @Test
    void aHeadIsForgottenWhole() {
        RequestHead head = new RequestHead();
        byte[] bytes = "GET / HTTP/1.0\r\nHost: a".getBytes(ISO_8859_1);
        System.arraycopy(bytes, 0, head.bytesWithRoomFor(bytes.length), 0, bytes.length);
        head.length(bytes.length);
        head.recordRequestLine(Method.GET, 3, 4, 1);
        head.recordVersion(HttpVersion.HTTP_1_0);
        head.recordField(16, 4, 22, 1);
        assertThat(head.value(FieldName.HOST)).isEqualTo("a");
        head.clear();
        assertThat(head.value(FieldName.HOST)).isNull();
        assertThat(head.count(FieldName.HOST)).isZero();
        assertThat(head.values(FieldName.HOST)).isEmpty();
        assertThat(head.fieldCount()).isZero();
        assertThat(head.method()).isEqualTo(Method.UNKNOWN);
        assertThat(head.version()).isEqualTo(HttpVersion.HTTP_1_1);
        assertThat(head.target()).isEmpty();
    }

    @Test
    void aLargeHeadDoesNotStayInMemory() {
        RequestHead head = new RequestHead();
        assertThat(head.bytesWithRoomFor(32 * 1024)).hasSizeGreaterThanOrEqualTo(32 * 1024);
        head.clear();
        assertThat(head.bytes()).hasSizeLessThanOrEqualTo(4096);
    }
}
