package io.servery.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.http.semantics.FilePath.Hidden;
import io.servery.http.semantics.FilePath.Named;
import io.servery.http.semantics.FilePath.Rejected;
import io.servery.http.semantics.TargetPath.Accepted;
import io.servery.http.semantics.TargetPath.Fault;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 3986 §5.2.4 and §6.2.2.3, RFC 8615 §3.
class FilePathTest {
    @ParameterizedTest
    @ValueSource(strings = {"/", "/a", "/a/", "/a/b.html", "/a b", "/a.", "/a/b./"})
    void normalPathIsItself(String decoded) {
        Named named = (Named) FilePath.of(accepted(decoded), false);
        assertThat(named.path()).isSameAs(decoded);
        assertThat(named.directory()).isEqualTo(decoded.endsWith("/"));
    }

    @ParameterizedTest
    @CsvSource({"//, /", "///a, /a", "/a//b, /a/b", "/a//, /a/", "/./a, /a", "/a/./b, /a/b", "/a/., /a/", "/., /",
            "/./, /", "/././/./, /", "/a/.//./b, /a/b", "//evil.com/, /evil.com/"})
    void emptyAndCurrentSegmentsAreNormalizedAway(String decoded, String path) {
        assertThat(FilePath.of(accepted(decoded), false)).isEqualTo(new Named(path, path.endsWith("/")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a%2Fb", "/a%5cb", "/%2f", "/a%2f%2e%5c"})
    void encodedSeparatorsAreRefused(String raw) {
        assertThat(FilePath.of((Accepted) TargetPath.resolve(raw), true))
                .isEqualTo(new Rejected(Fault.ENCODED_SEPARATOR));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/.git", "/.git/config", "/a/.htaccess", "/.a/b", "/...", "/a/...", "/.env", "//.env",
            "/./.env", "/.well-knownx", "/.well-known.bak/a", "/.well-known/.secret", "/a/.well-known/b",
            "/.Well-Known/a", "/.;/a"})
    void namesThatBeginWithADotAreHidden(String decoded) {
        assertThat(FilePath.of(accepted(decoded), false)).isEqualTo(new Hidden());
        assertThat(FilePath.of(accepted(decoded), true)).isInstanceOf(Named.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/.well-known", "/.well-known/", "/.well-known/acme-challenge/x", "//.well-known/a",
            "/./.well-known/a"})
    void wellKnownNamesAtTheRootAreShown(String decoded) {
        assertThat(FilePath.of(accepted(decoded), false)).isInstanceOf(Named.class);
    }

    @Test
    void sixtyFourSegmentsAreAllowedAndOneMoreIsNot() {
        String deepest = "/a".repeat(64);
        assertThat(FilePath.of(accepted(deepest), false)).isEqualTo(new Named(deepest, false));
        assertThat(FilePath.of(accepted(deepest + "/"), false)).isEqualTo(new Named(deepest + "/", true));
        assertThat(FilePath.of(accepted(deepest + "/a"), false)).isEqualTo(new Rejected(Fault.DEPTH));
        assertThat(FilePath.of(accepted("/." + "/.".repeat(99) + "//".repeat(99) + "/a"), false))
                .isEqualTo(new Named("/a", false));
    }

    @Test
    void listingHidesWhatARequestCannotName() {
        assertThat(FilePath.hides(".git")).isTrue();
        assertThat(FilePath.hides("git")).isFalse();
    }

    @Property
    void namedPathIsNormalAndNamesItselfAgain(@ForAll @From("paths") String raw, @ForAll boolean showsHidden) {
        if (TargetPath.resolve(raw) instanceof Accepted accepted
                && FilePath.of(accepted, showsHidden) instanceof Named named) {
            assertThat(named.path()).startsWith("/").doesNotContain("//", "\\");
            assertThat(List.of(named.path().split("/"))).doesNotContain(".", "..");
            assertThat(named.directory()).isEqualTo(named.path().endsWith("/"));
            assertThat(FilePath.of(accepted(named.path()), showsHidden)).isEqualTo(named);
            Named again = (Named) FilePath.of(accepted(named.path()), showsHidden);
            assertThat(again.path()).isSameAs(named.path());
        }
    }

    @Provide
    Arbitrary<String> paths() {
        return Arbitraries.of("/", ".", "..", "%2e", "a", "bc", "//", "/./", ".well-known", "%20", ".x", "%2f").list()
                .ofMaxSize(14).map(parts -> "/" + String.join("", parts));
    }

    private static Accepted accepted(String decoded) {
        return new Accepted(decoded, decoded.endsWith("/"), false);
    }
}
