package io.servery.interop.project;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.metric.MetricName;
import io.servery.core.reason.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// docs/threat-model.md says what is so.
class ThreatModelTest {
    /// The surfaces of this server, those of later features included: a parser comes with its row.
    private static final Set<String> SURFACES = Set.of("content length with transfer coding", "content length",
            "line ends and field syntax", "chunk size and extensions", "trailers", "fields", "host", "request line",
            "CONNECT and TRACE", "upgrade", "pipelining", "after 400, 408 or 413", "expectations", "slow peers",
            "many connections", "HTTP/2 resets both ways", "HTTP/2 CONTINUATION, PING, SETTINGS, PRIORITY, empty DATA",
            "HTTP/2 WINDOW_UPDATE", "HPACK and header bombs", "stalled HTTP/2 streams", "pseudo-fields",
            "QPACK and QUIC",
            "TLS", "redirect from plain HTTP", "answers to certificate authorities",
            "answers of a certificate authority",
            "state of certificates", "certificate and key files",
            "WebSocket", "content codings on input", "multipart", "paths", "files",
            "listings", "listing for peers", "ranges",
            "large files kept open", "files on the disk alone",
            "WebDAV XML", "archives in", "conditions", "content negotiation", "compressing for peers",
            "digests for peers", "proxy",
            "CGI and WSGI", "logs, metrics and error pages", "admin listener",
            "configuration", "control channel", "operator socket", "door for workers", "runtime directory",
            "inherited sockets", "listeners handed to a worker", "what a worker inherits");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

    private static final int REASON = 3;
    private static final int METRIC = 4;
    private static final int PROOF = 5;

    private static Map<String, List<String>> rows;

    @BeforeAll
    static void read() throws IOException {
        rows = new LinkedHashMap<>();
        boolean surfaces = false;
        for (String line : SourceTree.text("docs/threat-model.md").lines().toList()) {
            if (!line.startsWith("| ")) {
                surfaces = false;
            } else if (line.startsWith("| surface |")) {
                surfaces = true;
            } else if (surfaces && !line.startsWith("| ---")) {
                List<String> cells = Arrays.stream(line.substring(1).split("\\|", -1)).map(String::strip).toList();
                assertThat(rows.put(cells.getFirst(), cells)).as(cells.getFirst() + " has two rows").isNull();
            }
        }
    }

    @Test
    void everySurfaceHasItsRow() {
        assertThat(rows.keySet()).containsExactlyInAnyOrderElementsOf(SURFACES);
    }

    @Test
    void rowOfWhatExistsNamesItsProofAndAnyOtherTheFeatureItComesWith() {
        assertThat(rows).allSatisfy((surface, cells) -> {
            if (cells.size() > PROOF) {
                assertThat(quoted(cells.get(PROOF))).as(surface).isNotEmpty();
            } else {
                assertThat(cells.get(1)).as(surface).startsWith("comes with ");
            }
        });
    }

    @Test
    void everyReasonCodeExists() {
        assertThat(named(REASON)).isNotEmpty()
                .isSubsetOf(Arrays.stream(Reason.values()).map(Reason::code).collect(Collectors.toSet()));
    }

    @Test
    void everyMetricExists() {
        assertThat(named(METRIC)).isNotEmpty()
                .isSubsetOf(
                        Arrays.stream(MetricName.values()).map(MetricName::exposedName).collect(Collectors.toSet()));
    }

    @Test
    void everyReasonThatAPeerCanCauseHasARow() {
        Set<String> ofPeers = Arrays.stream(Reason.values()).filter(reason -> switch (reason.group()) {
            case MALFORMED, DEADLINE -> reason != Reason.DRAIN_TIMEOUT;
            case ADMISSION, REQUEST, STORAGE, FAULT, FORCED_DRAIN, WORKER, RELOAD, ACME -> false;
        }).map(Reason::code).collect(Collectors.toSet());
        assertThat(named(REASON)).containsAll(ofPeers);
    }

    @Test
    void everyHarnessProvesARow() throws IOException {
        List<String> harnesses = SourceTree.files(".java").stream()
                .filter(file -> SourceTree.nameOf(file).matches("servery-fuzz/src/test/.*(Fuzz|Properties)\\.java"))
                .map(file -> file.getFileName().toString().replace(".java", "")).toList();
        assertThat(harnesses).isNotEmpty();
        assertThat(named(PROOF)).containsAll(harnesses);
    }

    /// Without an execution of its own a harness repeats its seeds, and looks for nothing.
    @Test
    void everyHarnessOfBytesIsRunByTheBuild() throws IOException {
        String build = SourceTree.text("servery-fuzz/pom.xml");
        assertThat(SourceTree.files("Fuzz.java")).isNotEmpty()
                .allSatisfy(file -> assertThat(build).contains("<include>**/" + file.getFileName() + "</include>"));
    }

    @Test
    void everyTestNamedExists() throws IOException {
        Map<String, Path> tests = SourceTree.files(".java").stream()
                .filter(file -> file.toString().contains("src/test"))
                .collect(Collectors.toMap(file -> file.getFileName().toString().replace(".java", ""), file -> file,
                        (first, second) -> first));
        List<String> missing = new ArrayList<>();
        for (String proof : named(PROOF)) {
            String[] classAndMethod = proof.split("\\.", 2);
            Path file = tests.get(classAndMethod[0]);
            if (file == null
                    || (classAndMethod.length == 2 && !Files.readString(file).contains(classAndMethod[1] + "("))) {
                missing.add(proof);
            }
        }
        assertThat(missing).isEmpty();
    }

    private static Set<String> named(int column) {
        Set<String> names = new TreeSet<>();
        rows.values().stream().filter(cells -> cells.size() > PROOF)
                .forEach(cells -> names.addAll(quoted(cells.get(column))));
        return names;
    }

    private static List<String> quoted(String cell) {
        List<String> names = new ArrayList<>();
        for (Matcher found = QUOTED.matcher(cell); found.find();) {
            names.add(found.group(1));
        }
        return names;
    }
}
