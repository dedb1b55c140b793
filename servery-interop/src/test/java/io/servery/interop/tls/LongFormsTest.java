package io.servery.interop.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.Answer;
import io.servery.interop.OsProcess;
import io.servery.interop.Site;
import io.servery.interop.WireConnection;
import io.servery.interop.fleet.Configuration;
import io.servery.interop.fleet.Service;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Compressed forms that are files in memory, over every transport: right for every kind of request, and gone when nobody
/// holds them, whatever becomes of their readers.
@Isolated
class LongFormsTest {
    private static final int FILES = 12;
    private static final int FILE_BYTES = 1_000_000;
    /// What a form of these files takes at least: three quarters, about.
    private static final int FORM_BYTES_MIN = 600_000;
    private static final int ROOM_BYTES = 4 << 20;
    private static final int FORMS_MAX = ROOM_BYTES / FORM_BYTES_MIN;
    /// The loopback's socket buffers hold some three of them.
    private static final int EACH = 6;
    private static final Duration STANDSTILL = Duration.ofMillis(250);
    private static final String FORM = "/memfd:servery-form";
    private static final int RECEIVED_BYTES = 16 * 1024;

    @TempDir
    Path folder;
    private Site site = new Site(Path.of(""));
    private final List<String> texts = new ArrayList<>();

    @BeforeEach
    void site() {
        site = Site.generate(folder.resolve("site"));
        Random random = new Random(4);
        for (int i = 0; i < FILES; i++) {
            StringBuilder text = new StringBuilder(FILE_BYTES);
            while (text.length() < FILE_BYTES) {
                text.append((char) ('0' + random.nextInt(64)));
            }
            texts.add(text.toString());
            site.put("long/" + i + ".txt", text.toString());
        }
    }

    /// A service and how its clients connect.
    private final class Served implements AutoCloseable {
        private final Service service;
        private final Way way;
        private final Authority authority = Authority.create(folder, "authority");

        Served(Way way, String... resources) {
            this.way = way;
            Configuration configuration = Configuration.of(folder, site.root())
                    .runtime("transport = \"" + way.transport() + "\"").resources(resources);
            service = Service.start(way.secure()
                    ? configuration.tls(authority.issue(Wanted.of("site", "localhost")).manual())
                    : configuration);
        }

        WireConnection connect() {
            return way.secure()
                    ? new Peer(service.port(), authority.root(), folder).connect("localhost")
                    : WireConnection.open(service.port(), RECEIVED_BYTES);
        }

        Answer get(int number, String... fields) {
            try (WireConnection connection = connect()) {
                return connection.send(request("GET", number, fields)).answer();
            }
        }

        /// How many forms are open: where the transport needs it, the process that was started serves itself.
        long forms() {
            List<OsProcess> workers = service.workers();
            return (workers.isEmpty() ? service.parent() : workers.getFirst()).descriptorsOf(FORM);
        }

        double compressing() {
            return service.metric("servery_lane_bytes{lane=\"compute\"}");
        }

        double rejected() {
            return service.metric("servery_cache_operations_total{cache=\"compression\",result=\"rejected\"}");
        }

        @Override
        public void close() {
            service.close();
        }
    }

    private static String request(String method, int number, String... fields) {
        return method + " /long/" + number + ".txt HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n"
                + String.join("", List.of(fields).stream().map(field -> field + "\r\n").toList()) + "\r\n";
    }

    private static String decoded(Answer answer) throws IOException {
        assertThat(answer.value("Content-Encoding")).isEqualTo("gzip");
        assertThat(answer.body().length).isGreaterThan(FORM_BYTES_MIN);
        return new String(new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes(),
                StandardCharsets.UTF_8);
    }

    // RFC 9110 §9.3.2, §13.1.2, §13.1.5, §14.2, §15.4.5

    @ParameterizedTest
    @EnumSource
    void everyKindOfRequestIsAnsweredAsForAnyForm(Way way) throws Exception {
        try (Served served = new Served(way)) {
            Answer made = served.get(0);
            assertThat(decoded(made)).isEqualTo(texts.getFirst());
            // A form is kept once its file is two seconds old.
            served.service.await("a form that is kept", () -> served.get(0).status() == 200 && served.forms() == 1);
            try (WireConnection connection = served.connect()) {
                Answer found = connection.send(request("GET", 0)).answer();
                assertThat(decoded(found)).isEqualTo(texts.getFirst());
                String tag = found.value("ETag");
                assertThat(tag).isEqualTo(made.value("ETag")).contains("-gzip");
                Answer head = connection.send(request("HEAD", 0)).answerToHead();
                assertThat(head.value("ETag")).isEqualTo(tag);
                assertThat(head.value("Content-Length")).isEqualTo(Integer.toString(found.body().length));
                Answer current = connection.send(request("GET", 0, "If-None-Match: " + tag)).answer();
                assertThat(current.status()).isEqualTo(304);
                assertThat(current.value("ETag")).isEqualTo(tag);
                Answer ranged = connection.send(request("GET", 0, "Range: bytes=0-9", "If-Range: " + tag)).answer();
                assertThat(ranged.status()).isEqualTo(200);
                assertThat(ranged.text()).isEqualTo(texts.getFirst());
                // In order on one connection (RFC 9112 §9.3.2).
                connection.send(request("GET", 1) + request("HEAD", 0) + request("GET", 0));
                assertThat(decoded(connection.answer())).isEqualTo(texts.get(1));
                assertThat(connection.answerToHead().value("ETag")).isEqualTo(tag);
                assertThat(decoded(connection.answer())).isEqualTo(texts.getFirst());
            }
        }
    }

    /// Peers that ask for more forms than the kernel holds for them, and read nothing: when there is no more room, plain content
    /// comes. Half of them leave, the others read on; all is given back.
    @ParameterizedTest
    @EnumSource
    void slowReadersTakeNoMoreThanThereIs(Way way) throws Exception {
        try (Served served = new Served(way, "compression_cache_bytes = 0", "[resources.lanes.compute]",
                "bytes = " + ROOM_BYTES)) {
            assertThat(decoded(served.get(0))).isEqualTo(texts.getFirst());
            served.service.await("no form", () -> served.forms() == 0);
            List<WireConnection> readers = new ArrayList<>();
            for (int i = 0; i < FILES; i++) {
                WireConnection reader = served.connect();
                readers.add(reader);
                StringBuilder requests = new StringBuilder();
                for (int j = 0; j < EACH; j++) {
                    requests.append(request("GET", (i + j) % FILES));
                }
                reader.send(requests.toString());
                // One after another, so that the lane always has room: what is refused is for want of room for forms.
                Awaitility.await("a reader that is owed more than the kernel holds").atMost(WireConnection.PATIENCE)
                        .during(STANDSTILL).until(() -> served.compressing() == 0);
                assertThat(served.forms()).isLessThanOrEqualTo(FORMS_MAX);
            }
            served.service.await("room that is taken", () -> served.forms() >= 2 && served.rejected() > 0);
            int plain = 0;
            for (int i = 0; i < FILES; i++) {
                for (int j = 0; j < EACH && i % 2 == 0; j++) {
                    Answer answer = readers.get(i).answer();
                    boolean coded = !answer.value("Content-Encoding").isEmpty();
                    plain += coded ? 0 : 1;
                    assertThat(coded ? decoded(answer) : answer.text()).isEqualTo(texts.get((i + j) % FILES));
                }
                readers.get(i).close();
                assertThat(served.forms()).isLessThanOrEqualTo(FORMS_MAX);
            }
            assertThat(plain).isPositive();
            served.service.await("no form", () -> served.forms() == 0);
            assertThat(decoded(served.get(FILES - 1))).isEqualTo(texts.getLast());
        }
    }
}
