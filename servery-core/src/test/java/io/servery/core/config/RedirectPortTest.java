package io.servery.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `listener.redirect_port`: where it holds, what it cannot be, and who is told of it.
class RedirectPortTest {
    private static final String SELF_SIGNED = "tls.mode = \"self-signed\"\n";
    private static final String PRODUCTION = "profile = \"production\"\n";

    @TempDir
    Path directory;

    private Loaded loaded(String text) {
        return Loaded.in(directory).file(text).unsafeDevelopmentTls();
    }

    private OptionalInt port(String text) {
        return loaded(text).config().listener().redirectPort();
    }

    @Test
    void productionRedirectsFrom80AndNobodyElseFromAnywhereUnlessTold() {
        assertThat(port(SELF_SIGNED)).isEmpty();
        assertThat(port(PRODUCTION + SELF_SIGNED)).hasValue(80);
        assertThat(port(PRODUCTION + SELF_SIGNED + "listener.redirect_port = 8080\n")).hasValue(8080);
        assertThat(port(PRODUCTION + SELF_SIGNED + "listener.redirect_port = 0\n")).isEmpty();
        assertThat(port(SELF_SIGNED + "listener.redirect_port = 8080\n")).hasValue(8080);
    }

    /// What is only a default gives way in silence.
    @Test
    void whereThereIsNothingToRedirectToTheDefaultDoesNotHold() {
        for (String text : List.of(PRODUCTION, PRODUCTION + SELF_SIGNED + "listener.unix = \"s\"\n",
                PRODUCTION + SELF_SIGNED + "listener.inherit = \"http\"\n")) {
            assertThat(port(text)).as(text).isEmpty();
            String effective = loaded(text).accepted().effective().text();
            assertThat(effective).as(text).doesNotContain("redirect_port");
        }
        assertThat(loaded(PRODUCTION + SELF_SIGNED).accepted().effective().text())
                .contains("listener.redirect_port = 80  # profile production\n");
    }

    @Test
    void hostsAreThoseOfTheListener() {
        assertThat(loaded(SELF_SIGNED + "[listener]\nhost = [\"127.0.0.1\", \"::1\"]\nredirect_port = 8080\n").config()
                .listener().redirect()).contains(new Endpoint.Tcp(List.of("127.0.0.1", "::1"), 8080));
        assertThat(loaded("").config().listener().redirect()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
            "listener.redirect_port = 8080; `listener.redirect_port`: found beside `tls.mode = \"off\"`; expected TLS",
            "T listener.redirect_port = 8080 listener.port = 0; `listener.redirect_port`: found beside `listener.port = 0`",
            "T listener.redirect_port = 8000; `listener.redirect_port`: found 8000, the port of `listener.port`",
            "T listener.redirect_port = 9090 metrics.enabled = true; `listener.redirect_port`: found 9090, the port of `metrics.port`",
            "P T listener.port = 80; `listener.redirect_port`: found 80, the port of `listener.port`; expected another",
            "T listener.redirect_port = 8080 listener.unix = 's'; `listener.redirect_port`: found together with `listener.unix`",
            "T listener.redirect_port = 8080 listener.inherit = 's'; `listener.redirect_port`: found together with `listener.inherit`",
            "T listener.redirect_port = 65536; `listener.redirect_port`: found 65536; expected a whole number from 0 to 65535"})
    void whatCannotBeIsRefusedByName(String lines, String error) {
        String text = lines.replace('\'', '"').replace("P ", PRODUCTION).replace("T ", SELF_SIGNED)
                .replaceAll(" (listener|metrics)\\.", "\n$1.") + "\n";
        assertThat(loaded(text).errors()).as(text).contains(error);
    }

    @Test
    void adminListenerElsewhereMayHaveThePort() {
        assertThat(loaded(SELF_SIGNED + """
                [listener]
                host = "127.0.0.1"
                redirect_port = 9090
                [metrics]
                enabled = true
                host = "127.0.0.2"
                """).errors()).isEmpty();
    }

    /// They are told with each socket; a change needs sockets, and so a generation.
    @Test
    void workersAreNotToldAndAChangeIsAGeneration() {
        Outcome.Accepted before = loaded(SELF_SIGNED).accepted();
        Outcome.Accepted after = loaded(SELF_SIGNED + "listener.redirect_port = 8080\n").accepted();

        assertThat(after.effective().workerText()).doesNotContain("redirect_port");
        assertThat(
                WorkerConfiguration.read(loaded(PRODUCTION + SELF_SIGNED).accepted().effective().workerText()).config()
                        .listener().redirectPort())
                .isEmpty();
        assertThat(ConfigurationChange.between(before.effective(), after.effective()))
                .isEqualTo(new ConfigurationChange.Generation(List.of("listener.redirect_port")));
    }
}
