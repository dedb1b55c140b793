package io.servery.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.servery.admin.AdminAnswer.Field;
import io.servery.http.semantics.FieldName;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The admin listener's answers, in the order of the table in its reference.
class AdminServiceTest {
    private static final List<String> PATHS = List.of("/livez", "/readyz", "/metrics");

    private Health health = Health.readyNow();
    private final AtomicInteger reports = new AtomicInteger();
    private final AdminService open = service(AdminOptions.standard(HostPolicy.loopback(List.of("127.0.0.1")), null));
    private final AdminService guarded = service(
            AdminOptions.standard(new HostPolicy.PublicBind(), AdminToken.of("correct-horse")));

    @Test
    void readyServiceIsLiveAndReady() {
        assertThat(answer(open, "GET", "/livez", Fields.none())).satisfies(
                answer -> assertAnswer(answer, 200, "ok\n"));
        assertThat(answer(open, "GET", "/readyz", Fields.none())).satisfies(
                answer -> assertAnswer(answer, 200, "ok\n"));
    }

    @Test
    void drainingServiceIsLiveAndNotReadyAndSaysWhyOneReasonALine() {
        health = Health.notReady(List.of("draining", "worker_queue_capacity"));

        assertAnswer(answer(open, "GET", "/livez", Fields.none()), 200, "ok\n");
        assertAnswer(answer(open, "GET", "/readyz", Fields.none()), 503, "draining\nworker_queue_capacity\n");
    }

    @Test
    void failedServiceIsNeitherAndSaysWhy() {
        health = Health.failed(List.of("crash_loop"));

        assertAnswer(answer(open, "GET", "/livez", Fields.none()), 503, "crash_loop\n");
        assertAnswer(answer(open, "GET", "/readyz", Fields.none()), 503, "crash_loop\n");
    }

    @Test
    void metricsAreGatheredOnlyWhenTheRenderingRuns() {
        AdminOutcome outcome = open.decide("GET", "/metrics", Fields.none());

        assertThat(outcome).isInstanceOf(MetricsRendering.class);
        assertThat(reports).hasValue(0);
        AdminAnswer answer = ((MetricsRendering) outcome).answer();
        assertThat(reports).hasValue(1);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(field(answer, "Content-Type")).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
        Exposition.parsePrometheus(answer.content());
    }

    @Test
    void metricsComeAsOpenMetricsWhenAskedFor() {
        AdminAnswer answer = answer(open, "GET", "/metrics",
                Fields.of(FieldName.ACCEPT, "application/openmetrics-text"));

        assertThat(field(answer, "Content-Type"))
                .isEqualTo("application/openmetrics-text; version=1.0.0; charset=utf-8");
        Exposition.parseOpenMetrics(answer.content());
    }

    @Test
    void binaryFormatIsAnsweredInText() {
        AdminAnswer answer = answer(open, "GET", "/metrics", Fields.of(FieldName.ACCEPT,
                "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited"));

        assertThat(answer.status()).isEqualTo(200);
        Exposition.parsePrometheus(answer.content());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/livez", "/readyz", "/metrics"})
    void headIsAnsweredAsGet(String path) {
        assertThat(answer(open, "HEAD", path, Fields.none())).usingRecursiveComparison()
                .isEqualTo(answer(open, "GET", path, Fields.none()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "QUERY", "TRACE", "CONNECT", "get", "BREW"})
    void anyOtherMethodIsRefusedWithAllow(String method) {
        for (String path : PATHS) {
            AdminAnswer answer = answer(open, method, path, Fields.none());
            assertThat(answer.status()).isEqualTo(405);
            assertThat(field(answer, "Allow")).isEqualTo("GET, HEAD");
        }
        assertThat(reports).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/livez/", "/LIVEZ", "/metricsx", "//metrics", "*", ""})
    void anyOtherPathIsNotFound(String path) {
        assertThat(answer(open, "GET", path, Fields.none()).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({"ORIGIN, null", "ORIGIN, http://127.0.0.1:9090", "ORIGIN, https://evil.example", "ORIGIN, ''",
            "SEC_FETCH_SITE, cross-site", "SEC_FETCH_SITE, same-site", "SEC_FETCH_SITE, same-origin",
            "SEC_FETCH_SITE, none", "SEC_FETCH_SITE, ''"})
    void browserIsRefusedWhateverItsFieldsSay(FieldName name, String value) {
        for (String path : PATHS) {
            assertThat(answer(open, "GET", path, Fields.of(name, value)).status()).isEqualTo(403);
            assertThat(answer(guarded, "GET", path, Fields.of(name, value).with(FieldName.AUTHORIZATION,
                    "Bearer correct-horse")).status()).isEqualTo(403);
        }
    }

    @Test
    void nameThatWasReboundToLoopbackIsRefused() {
        for (String path : PATHS) {
            assertThat(answer(open, "GET", path, Fields.of(FieldName.HOST, "evil.example:9090")).status())
                    .isEqualTo(403);
            assertThat(answer(open, "GET", path, Fields.of(FieldName.HOST, "localhost:9090")).status()).isEqualTo(200);
        }
    }

    @Test
    void tokenOpensEveryPath() {
        for (String path : PATHS) {
            for (String scheme : List.of("Bearer ", "bearer ", "BEARER  ")) {
                Fields fields = Fields.of(FieldName.AUTHORIZATION, scheme + "correct-horse");
                assertThat(answer(guarded, "GET", path, fields).status()).isEqualTo(200);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer", "Bearer ", "Bearer wrong", "Bearer correct-hors", "Bearer correct-horse2",
            "Bearer Correct-Horse", "Basic correct-horse", "correct-horse", "Bearercorrect-horse", ""})
    void wrongTokenIsUnauthorized(String credentials) {
        for (String path : List.of("/livez", "/metrics", "/nothing")) {
            AdminAnswer answer = answer(guarded, "GET", path, Fields.of(FieldName.AUTHORIZATION, credentials));
            assertThat(answer.status()).isEqualTo(401);
            assertThat(field(answer, "WWW-Authenticate"))
                    .isEqualTo("Bearer realm=\"servery admin\", error=\"invalid_token\"");
        }
    }

    @Test
    void absentTokenIsUnauthorizedWithoutAnErrorCode() {
        AdminAnswer answer = answer(guarded, "GET", "/nothing", Fields.none());

        assertThat(answer.status()).isEqualTo(401);
        assertThat(field(answer, "WWW-Authenticate")).isEqualTo("Bearer realm=\"servery admin\"");
    }

    @Test
    void repeatedAuthorizationIsUnauthorized() {
        Fields fields = Fields.of(FieldName.AUTHORIZATION, "Bearer correct-horse")
                .with(FieldName.AUTHORIZATION, "Bearer correct-horse");

        assertThat(answer(guarded, "GET", "/livez", fields).status()).isEqualTo(401);
    }

    @Test
    void everyAnswerIsKeptOutOfCachesAndIsNotSniffed() {
        List<AdminAnswer> answers = List.of(answer(open, "GET", "/livez", Fields.none()),
                answer(open, "GET", "/metrics", Fields.none()), answer(open, "GET", "/", Fields.none()),
                answer(open, "PUT", "/livez", Fields.none()), answer(guarded, "GET", "/livez", Fields.none()),
                answer(open, "GET", "/livez", Fields.of(FieldName.ORIGIN, "null")),
                answer(open, "GET", "/livez", Fields.of(FieldName.HOST, "evil.example")));

        assertThat(answers).extracting(AdminAnswer::status).containsExactly(200, 200, 404, 405, 401, 403, 403);
        assertThat(answers).allSatisfy(answer -> {
            assertThat(field(answer, "Cache-Control")).isEqualTo("no-store");
            assertThat(field(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
        });
    }

    @Test
    void configuredPathsReplaceTheStandardOnes() {
        AdminService moved = service(new AdminOptions("/alive", "/ready", "/m", HostPolicy.unixSocket(), null));

        assertThat(answer(moved, "GET", "/alive", Fields.none()).status()).isEqualTo(200);
        assertThat(answer(moved, "GET", "/ready", Fields.none()).status()).isEqualTo(200);
        assertThat(answer(moved, "GET", "/m", Fields.none()).status()).isEqualTo(200);
        assertThat(answer(moved, "GET", "/livez", Fields.none()).status()).isEqualTo(404);
    }

    private AdminService service(AdminOptions options) {
        return new AdminService(options, () -> health, () -> {
            reports.incrementAndGet();
            return Reports.ofNewWorker();
        });
    }

    private static AdminAnswer answer(AdminService service, String method, String path, Fields fields) {
        return switch (service.decide(method, path, fields)) {
            case AdminAnswer answer -> answer;
            case MetricsRendering rendering -> rendering.answer();
        };
    }

    private static void assertAnswer(AdminAnswer answer, int status, String text) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(new String(answer.content(), UTF_8)).isEqualTo(text);
        assertThat(field(answer, "Content-Type")).isEqualTo("text/plain; charset=utf-8");
    }

    private static String field(AdminAnswer answer, String name) {
        return answer.fields().stream().filter(field -> field.name().equals(name)).map(Field::value).findFirst()
                .orElseThrow();
    }
}
