package io.servery.http.semantics;

import static io.servery.http.semantics.ContentCoding.BR;
import static io.servery.http.semantics.ContentCoding.GZIP;
import static io.servery.http.semantics.ContentCoding.ZSTD;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which codings a client would have (RFC 9110 §12.4.2 and §12.5.3).
class AcceptEncodingTest {
    private static List<ContentCoding> codings(String... lines) {
        return AcceptEncoding.of(Fields.of(FieldName.ACCEPT_ENCODING, lines)).codings();
    }

    // §12.4.2 weights

    @Test
    void weightsHaveUpToThreeDigits() {
        assertThat(codings("gzip;q=0.001, br;q=0.002, zstd;q=0.0")).containsExactly(BR, GZIP);
        assertThat(codings("gzip; q=1.000, br ;\tQ=0.999")).containsExactly(GZIP, BR);
        assertThat(codings("gzip;q=0., br;q=1.")).containsExactly(BR);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip;q=1.001", "gzip;q=2", "gzip;q=0.1234", "gzip;q=.5", "gzip;q=-1", "gzip;q=", "gzip;q",
            "gzip;", "gzip;x=1", "gzip;q=0.5;x=1", "gzip br", "gzip=1", "\"gzip\"", "gzip, /", "gzip;q=1e1"})
    void malformedFieldSaysNothing(String value) {
        assertThat(codings(value)).isEmpty();
        assertThat(codings("br, " + value)).isEmpty();
    }

    // §12.5.3 Accept-Encoding

    @Test
    void absentOrEmptyFieldMeansPlain() {
        assertThat(AcceptEncoding.of(Fields.NONE)).isSameAs(AcceptEncoding.PLAIN);
        assertThat(codings("")).isEmpty();
        assertThat(codings(" , ,")).isEmpty();
    }

    @Test
    void betweenEqualsTheOrderIsOurs() {
        assertThat(codings("gzip, deflate, br, zstd")).containsExactly(ZSTD, BR, GZIP);
        assertThat(codings("gzip;q=0.5, br;q=0.5")).containsExactly(BR, GZIP);
    }

    @Test
    void codingsAreRankedByWeight() {
        assertThat(codings("gzip, br;q=0.9, zstd;q=0.8")).containsExactly(GZIP, BR, ZSTD);
    }

    @Test
    void starIsEveryCodingThatIsNotNamed() {
        assertThat(codings("*")).containsExactly(ZSTD, BR, GZIP);
        assertThat(codings("gzip, *;q=0")).containsExactly(GZIP);
        assertThat(codings("br;q=0, *")).containsExactly(ZSTD, GZIP);
        assertThat(codings("gzip;q=0.5, *;q=0.8")).containsExactly(ZSTD, BR);
    }

    @Test
    void plainIsKeptWhereItIsLikedBetter() {
        assertThat(codings("identity, gzip;q=0.5")).isEmpty();
        assertThat(codings("identity;q=0.5, gzip;q=0.5")).containsExactly(GZIP);
        assertThat(codings("identity;q=0.2, gzip;q=0.1, br;q=0.3")).containsExactly(BR);
    }

    @Test
    void excludedPlainLeavesTheCodings() {
        assertThat(codings("identity;q=0, gzip")).containsExactly(GZIP);
        assertThat(codings("identity;q=0")).isEmpty();
        assertThat(codings("deflate, identity;q=0")).isEmpty();
    }

    @Test
    void linesAreOneList() {
        assertThat(codings("gzip;q=0.5", "br")).containsExactly(BR, GZIP);
        assertThat(codings("gzip", "br;q=7")).isEmpty();
    }

    @Test
    void namesAreInAnyCaseAndXGzipIsGzip() {
        assertThat(codings("GZip, BR")).containsExactly(BR, GZIP);
        assertThat(codings("x-gzip")).containsExactly(GZIP);
        assertThat(codings("gzip;q=0, x-gzip")).isEmpty();
        assertThat(codings("xgzip, brotli, zst")).isEmpty();
    }

    @Test
    void commonValuesAreReadAsAnyOther() {
        for (String value : List.of("gzip, deflate, br, zstd", "gzip, deflate, br", "gzip, deflate", "gzip", "*",
                "identity", "deflate, gzip, br, zstd")) {
            assertThat(codings(value)).isEqualTo(AcceptEncoding.parse(List.of(value)).codings());
            assertThat(codings(value)).isEqualTo(codings(value + ", x"));
        }
    }

    @Provide
    Arbitrary<List<Map.Entry<String, Integer>>> members() {
        Arbitrary<String> names = Arbitraries.of("gzip", "br", "zstd", "identity", "*", "deflate", "x-gzip");
        Arbitrary<Integer> weights = Arbitraries.integers().between(0, 1000);
        return Combinators.combine(names, weights).as((String name, Integer weight) -> Map.entry(name, weight)).list()
                .ofMaxSize(8);
    }

    /// Whatever is said: what is chosen was accepted, is not liked less than plain content, and is ranked.
    @Property
    void choiceIsAcceptedAndRanked(@ForAll("members") List<Map.Entry<String, Integer>> members) {
        Map<String, Integer> said = new HashMap<>();
        String[] written = members.stream().map(member -> {
            said.putIfAbsent(member.getKey().replace("x-gzip", "gzip"), member.getValue());
            return member.getKey() + ";q=" + (member.getValue() == 1000 ? "1" : "0.%03d".formatted(member.getValue()));
        }).toArray(String[]::new);
        List<ContentCoding> found = codings(String.join(", ", written));
        int any = said.getOrDefault("*", 0);
        int plain = said.getOrDefault("identity", any);
        List<ContentCoding> expected = Arrays.stream(ContentCoding.values())
                .filter(coding -> said.getOrDefault(coding.token(), any) > 0)
                .filter(coding -> said.getOrDefault(coding.token(), any) >= plain)
                .sorted((a, b) -> said.getOrDefault(b.token(), any) - said.getOrDefault(a.token(), any)).toList();
        assertThat(found).isEqualTo(expected);
        assertThat(codings(written.length == 0 ? new String[]{""} : written)).isEqualTo(expected);
    }
}
