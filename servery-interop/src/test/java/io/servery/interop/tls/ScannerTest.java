package io.servery.interop.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.Site;
import io.servery.interop.fleet.Configuration;
import io.servery.interop.fleet.Said;
import io.servery.interop.fleet.Service;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What testssl.sh, which knows the errors of others, finds in the protocols, ciphers, certificate and headers.
class ScannerTest {
    private static final String HOST = "localhost";
    private static final Pattern FINDING = Pattern.compile(
            "\"id\"\\s*:\\s*\"([^\"]*)\".*?\"severity\"\\s*:\\s*\"([^\"]*)\"\\s*,\\s*\"finding\"\\s*:\\s*\"([^\"]*)\"",
            Pattern.DOTALL);
    /// A run that was broken off has fewer.
    private static final int FINDINGS_MIN = 100;

    @TempDir
    Path folder;

    private record Finding(String id, String severity, String text) {
        Finding(MatchResult match) {
            this(match.group(1), match.group(2), match.group(3));
        }

        boolean isBad() {
            return List.of("MEDIUM", "HIGH", "CRITICAL", "FATAL").contains(severity);
        }
    }

    @Test
    void scannerFindsNothingOfMediumSeverityOrWorse() throws Exception {
        Program testssl = Program.of("testssl", folder);
        Authority authority = Authority.create(folder, "authority");
        Pair pair = authority
                .issue(Wanted.of("site", HOST).valid(Duration.ofHours(-1), Duration.ofDays(90)));
        Path findings = folder.resolve("findings.json");
        try (Service service = Service.start(Configuration
                .of(folder, Site.generate(folder.resolve("site")).root()).tls("hsts = \"365d\"", pair.manual()))) {
            Said said = testssl.run("", List.of("--quiet", "--color", "0", "--warnings", "off", "--add-ca",
                    authority.root().toString(), "--jsonfile", findings.toString(), HOST + ":" + service.port()));

            List<Finding> all = FINDING.matcher(Files.readString(findings)).results().map(Finding::new).toList();
            assertThat(all).as(said.toString()).hasSizeGreaterThan(FINDINGS_MIN);
            assertThat(all).filteredOn(Finding::isBad).as(said.toString()).isEmpty();
            assertThat(all).extracting(Finding::id).contains("cert_trust", "TLS1_3", "HSTS_time");
        }
    }
}
