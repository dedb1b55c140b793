package io.servery.core.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.control.Bounds;
import io.servery.core.control.Report;
import io.servery.core.control.Shard;
import io.servery.core.lifecycle.Event;
import io.servery.core.lifecycle.ExitStatus;
import io.servery.core.lifecycle.Fleet;
import io.servery.core.lifecycle.Moment;
import io.servery.core.lifecycle.Plan;
import io.servery.core.lifecycle.WorkerId;
import io.servery.core.operator.WorkerLimits.Limit;
import io.servery.core.operator.WorkerLimits.Unit;
import io.servery.core.lifecycle.Cause;
import io.servery.core.reason.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What `status` says of a fleet, to people and to programs.
class FleetStatusTest {
    private static final Moment START = new Moment(0);
    private static final WorkerLimits LIMITS = new WorkerLimits(2,
            List.of(new Limit("max_connections", 256, Unit.COUNT),
                    new Limit("max_connections_per_client", 0, Unit.COUNT),
                    new Limit("file_cache_bytes", 1536, Unit.BYTES),
                    new Limit("lanes.compute.bytes", 64 << 20, Unit.BYTES),
                    new Limit("compression_cache_bytes", 0, Unit.BYTES)));

    private List<FleetStatus.ShownCertificate> certificates = List.of();
    private List<Cause> amiss = List.of();
    private List<String> redirects = List.of();
    private Moment now = START;
    private Fleet fleet = Fleet.start(new Plan(1, 2, 1, 1, List.of(new Shard(0, 0), new Shard(0, 1)),
            new Plan.Timing(Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(1),
                    Duration.ofSeconds(10)),
            new Plan.RestartPolicy(Duration.ofMillis(250), Duration.ofSeconds(30), 5, Duration.ofSeconds(60),
                    Plan.RestartPolicy.STEADY),
            new Plan.Recycling(Duration.ZERO, 0, 0)), START).next();

    private static WorkerId worker(int slot, int incarnation) {
        return new WorkerId(1, slot, incarnation);
    }

    private void step(Event event) {
        fleet = fleet.step(event).next();
    }

    private void report(WorkerId worker, Report report) {
        step(new Event.Reported(now, worker, report));
    }

    private void prepare(WorkerId worker) {
        report(worker, new Report.Hello(Bounds.VERSION, "build", "token"));
        report(worker, new Report.Prepared());
    }

    private void serve() {
        prepare(worker(0, 1));
        prepare(worker(1, 1));
        report(worker(0, 1), new Report.Ready());
        report(worker(1, 1), new Report.Ready());
        now = new Moment(Duration.ofSeconds(1).toNanos() / 2);
        report(worker(0, 1), new Report.Heartbeat(0, 17, 5));
        report(worker(1, 1), new Report.Heartbeat(0, 0, 5));
    }

    private void exit(WorkerId worker) {
        step(new Event.Exited(now, worker, new ExitStatus.Code(1)));
    }

    private FleetStatus status() {
        return status(Duration.ZERO);
    }

    private FleetStatus status(Duration later) {
        Map<WorkerId, FleetStatus.WorkerProcess> processes = new LinkedHashMap<>();
        fleet.workers().forEach(one -> processes.put(one.id(), new FleetStatus.WorkerProcess(
                4700 + one.id().slot() + 10 * one.id().incarnation(), one.id().slot() == 0 ? START : now)));
        return FleetStatus.of(fleet,
                new FleetStatus.Service(START, processes, List.of("127.0.0.1:8000", "[::1]:8000"), redirects,
                        certificates, amiss, LIMITS),
                now.plus(later));
    }

    @Test
    void serviceThatIsReadyIsReadAtAGlance() {
        serve();

        assertThat(status(Duration.ofHours(51).plusSeconds(62)).text()).isEqualTo("""
                ready     generation 1, up 2d 03:01:02
                listener  127.0.0.1:8000
                listener  [::1]:8000

                slot   pid  generation  state          age  connections
                   0  4710           1  ready  2d 03:01:02           17
                   1  4711           1  ready  2d 03:01:02            0

                limit                       worker  2 workers  3 while one is replaced
                max_connections                256        512                      768
                max_connections_per_client    none       none                     none
                file_cache_bytes            1536 B      3 KiB                   4608 B
                lanes.compute.bytes         64 MiB    128 MiB                  192 MiB
                compression_cache_bytes        0 B        0 B                      0 B
                """);
        assertThat(status().line()).isEqualTo("ready\n");
    }

    @Test
    void programsHaveTheKeysOfTheContract() {
        serve();

        assertThat(status(Duration.ofSeconds(62)).json())
                .isEqualTo("{\"state\":\"ready\",\"ready\":true,\"reasons\":[],"
                        + "\"generation\":1,\"uptime_seconds\":62,\"workers\":[{\"slot\":0,\"pid\":4710,\"generation\":1,"
                        + "\"state\":\"ready\",\"age_seconds\":62,\"connections\":17},{\"slot\":1,\"pid\":4711,\"generation\":1,"
                        + "\"state\":\"ready\",\"age_seconds\":62,\"connections\":0}],\"listeners\":[\"127.0.0.1:8000\","
                        + "\"[::1]:8000\"],\"redirects\":[],\"certificates\":[]}\n");
    }

    @Test
    void addressesThatRedirectAreToldApartFromThoseThatServe() {
        redirects = List.of("http://127.0.0.1:80/");
        serve();

        assertThat(status().text()).contains("\nlistener  [::1]:8000\nredirect  http://127.0.0.1:80/\n");
        assertThat(status().json()).contains(",\"redirects\":[\"http://127.0.0.1:80/\"],");
    }

    @Test
    void certificatesAreNamedWithTheirEnds() {
        certificates = List.of(new FleetStatus.ShownCertificate(List.of("a.example", "[127.0.0.1]"),
                Instant.parse("2027-01-02T03:04:05Z"), "CN=some authority",
                Optional.of(Instant.parse("2026-12-02T03:04:05Z"))));
        serve();

        assertThat(status().text()).contains("certificate  until 2027-01-02T03:04:05Z for a.example [127.0.0.1],"
                + " by CN=some authority, next attempt at 2026-12-02T03:04:05Z\n");
        assertThat(status().json()).endsWith("\"certificates\":[{\"names\":[\"a.example\",\"[127.0.0.1]\"],"
                + "\"not_after\":\"2027-01-02T03:04:05Z\",\"issuer\":\"CN=some authority\","
                + "\"next_attempt\":\"2026-12-02T03:04:05Z\"}]}\n");
    }

    @Test
    void serviceWithoutACertificateHasNotStartedAndOneWithoutAValidOneRecovers() {
        serve();
        amiss = List.of(new Cause(Reason.CERTIFICATE_MISSING, "there is none yet"),
                new Cause(Reason.NETWORK_FAILURE, "nobody answers\nat all"));
        assertThat(status().isReady()).isFalse();
        assertThat(status().state()).isEqualTo("starting");
        assertThat(status().line()).isEqualTo(
                "not ready: certificate_missing: there is none yet; network_failure: nobody answers\n");
        amiss = List.of(new Cause(Reason.CERTIFICATE_EXPIRED, "it ended"));
        assertThat(status().state()).isEqualTo("recovering");
        assertThat(status().json()).contains("\"ready\":false,\"reasons\":[\"certificate_expired: it ended\"]");
    }

    @Test
    void serviceThatStartsIsNotReadyAndSaysWhy() {
        assertThat(status().isReady()).isFalse();
        assertThat(status().generation()).isZero();
        assertThat(status().line()).isEqualTo("not ready: the first workers start\n");
        assertThat(status().text()).startsWith("""
                starting  generation 0, up 00:00:00
                why       the first workers start
                """).contains("starting  00:00:00");
    }

    @Test
    void slotThatIsEmptyIsExplained() {
        serve();
        exit(worker(0, 1));
        exit(worker(0, 2));

        assertThat(status().isReady()).isTrue();
        assertThat(status().reasons()).hasSize(1).first().asString()
                .startsWith("slot 0 waits for its next start: ").doesNotContain("\n");
        assertThat(status().text()).contains("\nnote      slot 0 waits");
        assertThat(status().workers()).hasSize(1);
        exit(worker(1, 1));
        exit(worker(1, 2));
        assertThat(status().isReady()).isFalse();
        assertThat(status().line()).startsWith("not ready: found 0 of 2 workers ready; expected at least 1; slot 0");
        assertThat(status().json()).contains("\"state\":\"recovering\",\"ready\":false");
    }

    @Test
    void slotThatWasGivenUpHasNoProcess() {
        serve();
        for (int incarnation = 1; incarnation <= 6; incarnation++) {
            exit(worker(0, incarnation));
            now = now.plus(Duration.ofSeconds(4));
            report(worker(1, 1), new Report.Heartbeat(0, 0, 5));
            step(new Event.TimePassed(now));
        }

        assertThat(status().reasons()).anyMatch(reason -> reason.startsWith("slot 0 was given up: "));
        assertThat(status().text()).containsPattern("   0 +- +1 +failed +- +-\n");
        assertThat(status().json()).contains("{\"slot\":0,\"pid\":null,\"generation\":1,\"state\":\"failed\","
                + "\"age_seconds\":0,\"connections\":0}");
    }

    @Test
    void serviceThatWasDrainedSaysHowItComesBack() {
        serve();
        step(new Event.DrainRequested(now));
        assertThat(status().state()).isEqualTo("draining");
        exit(worker(0, 1));
        exit(worker(1, 1));

        assertThat(status().state()).isEqualTo("withdrawn");
        assertThat(status().line()).isEqualTo("not ready: it was drained; `reload` brings it back\n");
        assertThat(status().workers()).isEmpty();
        assertThat(status().text()).doesNotContain("slot");
    }

    @Test
    void serviceThatStopsSaysWhatItWaitsFor() {
        serve();
        step(new Event.StopRequested(now));

        assertThat(status().reasons()).containsExactly("it stops: 2 workers finish their work");
    }

    @Test
    void wordsOfForeignCodeStayOneString() {
        assertThat(StatusJson.quoted("a\"b\\c\n\u001b[1mü😀"))
                .isEqualTo("\"a\\\"b\\\\c\\u000a\\u001b[1m\\u00fc\\ud83d\\ude00\"");
    }
}
