package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// Programs of the host that tests need, which a machine may lack.
public final class Installed {
    /// Beside `PATH`: where a service's own may not lead.
    private static final List<String> USUAL = List.of("/usr/bin", "/usr/local/bin", "/snap/bin");

    private Installed() {
    }

    /// The first of these that is there; where none is, the test is skipped.
    public static Path anyOf(String... names) {
        assertThat(names).isNotEmpty();
        List<Path> places = Stream.concat(Stream.of(System.getenv("PATH").split(":", -1)), USUAL.stream())
                .map(Path::of).toList();
        Path found = Stream.of(names).flatMap(name -> places.stream().map(place -> place.resolve(name)))
                .filter(Files::isExecutable).findFirst().orElse(null);
        assumeThat(found).as(String.join(" or ", names) + " is not installed").isNotNull();
        return Objects.requireNonNull(found);
    }
}
