package io.servery.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9530, in its order.
class DigestPreferenceTest {
    private static DigestAlgorithm best(String... lines) {
        return DigestPreference.parse(List.of(lines)).best();
    }

    // §2, §3 and the examples of Appendix B.1

    @Test
    void fieldIsADictionaryOfOneByteSequence() throws Exception {
        byte[] content = "{\"hello\": \"world\"}\n".getBytes(StandardCharsets.US_ASCII);
        assertThat(DigestAlgorithm.SHA_256.field(MessageDigest.getInstance("SHA-256").digest(content)))
                .isEqualTo("sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:");
        assertThat(DigestAlgorithm.SHA_512.field(MessageDigest.getInstance("SHA-512").digest(content)))
                .matches("sha-512=:[A-Za-z0-9+/]{86}==:");
    }

    // §4

    @Test
    void greatestWeightOfWhatIsServedIsBest() {
        assertThat(best("sha-256=1")).isEqualTo(DigestAlgorithm.SHA_256);
        assertThat(best("sha-512=3, sha-256=10, unixsum=0")).isEqualTo(DigestAlgorithm.SHA_256);
        assertThat(best("sha-512=3", "sha-256=2, md5=10")).isEqualTo(DigestAlgorithm.SHA_512);
        assertThat(best("sha-512=10")).isEqualTo(DigestAlgorithm.SHA_512);
        assertThat(best("sha-512=5,sha-256=5")).isEqualTo(DigestAlgorithm.SHA_256);
        assertThat(best("sha-512=1;q=\"x\", sha-256=0")).isEqualTo(DigestAlgorithm.SHA_512);
        assertThat(best("sha-512=5; sha-256")).isEqualTo(DigestAlgorithm.SHA_512);
    }

    @Test
    void whatIsNotServedIsNotWanted() {
        assertThat(best("md5=10, crc32c=1")).isNull();
        assertThat(best("sha-256=0")).isNull();
        assertThat(best()).isNull();
        assertThat(best("")).isNull();
    }

    @Test
    void zeroIsNotAcceptableAndSilenceIsNothing() {
        DigestPreference preference = DigestPreference.parse(List.of("sha-256=0, sha-512=1"));
        assertThat(preference.refuses(DigestAlgorithm.SHA_256)).isTrue();
        assertThat(preference.refuses(DigestAlgorithm.SHA_512)).isFalse();
        assertThat(DigestPreference.parse(List.of("md5=0")).refuses(DigestAlgorithm.SHA_256)).isFalse();
        assertThat(DigestPreference.UNSAID.refuses(DigestAlgorithm.SHA_256)).isFalse();
    }

    /// RFC 9651 §4.2: a field that cannot be parsed is ignored as a whole; and one whose values are not what §4 says.
    @ParameterizedTest
    @ValueSource(strings = {"sha-256=11", "sha-256=-1", "sha-256=5.0", "sha-256", "sha-256=\"5\"", "sha-256=five",
            "sha-256=(5)", "sha-512=5, sha-256=11", "sha-512=5, x=y", "sha-512=5, x", "sha-512=5,",
            "sha-512=5 sha-256=6", "SHA-256=5", "sha-256=?1", "sha-256=5, =", "sha-512;q=1"})
    void fieldThatBreaksARuleSaysNothing(String field) {
        assertThat(best(field)).isNull();
        assertThat(best("sha-384=1", field)).isNull();
    }

    @Test
    void absentFieldSaysNothing() {
        assertThat(DigestPreference.of(Fields.NONE, FieldName.WANT_REPR_DIGEST).best()).isNull();
        assertThat(
                DigestPreference.of(Fields.of(FieldName.WANT_CONTENT_DIGEST, "sha-512=1"), FieldName.WANT_REPR_DIGEST)
                        .best())
                .isNull();
        assertThat(DigestPreference
                .of(Fields.of(FieldName.WANT_CONTENT_DIGEST, "sha-512=1"), FieldName.WANT_CONTENT_DIGEST)
                .best()).isEqualTo(DigestAlgorithm.SHA_512);
    }
}
