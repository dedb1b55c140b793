package io.servery.netty.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.config.Configuration;
import io.servery.core.config.ConfigurationInputs;
import io.servery.core.config.Logging;
import io.servery.core.config.Outcome;
import io.servery.core.config.ServeryConfig;
import io.servery.core.lifecycle.Cause;
import io.servery.core.lifecycle.Condition;
import io.servery.core.lifecycle.Fact;
import io.servery.core.lifecycle.Reload;
import io.servery.core.lifecycle.Verdict;
import io.servery.core.metric.BuildInfo;
import io.servery.core.reason.Reason;
import io.servery.netty.observe.Events;
import io.servery.supervisor.host.SystemdNotifier;
import io.servery.supervisor.loop.Conclusion;
import io.servery.supervisor.posix.PosixException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// When a service manager is told what: sd_notify(3). The manager is a real socket.
@EnabledOnOs(value = OS.LINUX, disabledReason = "service managers that are told by sd_notify are Linux's")
class FleetObserverTest {
    private static final long PID = 4711;
    private static final Cause INVALID = new Cause(Reason.INVALID_CONFIG, "line 3");
    private static final Cause DRAINING = new Cause(Reason.DRAINING, "the service was told to drain");
    private static final Cause MISSING = new Cause(Reason.CERTIFICATE_MISSING, "no certificate yet");
    private static final Verdict SERVES = new Verdict.Serving(2, 2);
    private static final String READY = "READY=1\nSTATUS=ready";

    @TempDir
    Path folder;

    private final Events events = new Events(Logging.Level.INFO, true, OutputStream.nullOutputStream(),
            Clock.systemUTC());
    private final List<Cause> amiss = new ArrayList<>();
    private final List<String> certificates = new ArrayList<>();
    private ManagerSocket manager;
    private FleetObserver observer;

    @BeforeEach
    void open() throws PosixException {
        manager = new ManagerSocket(folder.resolve("notify"));
        observer = observer(Map.of());
    }

    @AfterEach
    void close() throws InterruptedException {
        manager.close();
        assertThat(events.close(TimeUnit.SECONDS.toNanos(10))).isTrue();
    }

    private FleetObserver observer(Map<String, String> more) {
        Map<String, String> environment = new TreeMap<>(more);
        environment.put("NOTIFY_SOCKET", folder.resolve("notify").toString());
        StartFacts facts = new StartFacts(events, config(), new BuildInfo("test", "25", "4.2"));
        return new FleetObserver(new Readiness(), SystemdNotifier.of(environment, PID), new FleetEvents(events, facts),
                new FleetObserver.Certificates(() -> List.copyOf(amiss), () -> certificates.add("serves"),
                        () -> certificates.add("leaves"), () -> certificates.add("goes")));
    }

    private ServeryConfig config() {
        String text = "schema_version = 1\n[application]\nmode = \"static\"\n";
        return switch (Configuration.read(text.getBytes(StandardCharsets.UTF_8), new ConfigurationInputs(
                Optional.of(Path.of("servery.toml")), Map.of("HOME", folder.toString()), List.of(), folder, false))) {
            case Outcome.Accepted accepted -> accepted.config();
            case Outcome.Refused refused -> throw new AssertionError(refused.faults().toString());
        };
    }

    private void published(Condition now) {
        observer.published(now, Optional.empty(), false);
    }

    private void ends(Condition now, Optional<Cause> why) {
        observer.published(now, why, true);
    }

    private void reloadStarts(int number) {
        observer.noted(new Fact.ReloadStarted(number, Reload.Kind.RELOAD), OptionalInt.empty());
    }

    private void reloadEnds(int number, Verdict verdict) {
        observer.concluded(new Conclusion(number, verdict, List.of()));
    }

    /// It serves from here on; what was told of that is read.
    private void started() {
        published(Condition.READY);
        assertThat(manager.told()).containsExactly(READY);
    }

    private void assertReloading() {
        assertThat(manager.told()).singleElement().asString().matches("RELOADING=1\nMONOTONIC_USEC=[1-9][0-9]*");
    }

    @Test
    void managerIsToldOfTheStartWhenItServes() {
        reloadEnds(0, new Verdict.Serving(1, 1));
        assertThat(manager.told()).isEmpty();
        published(Condition.READY);
        assertThat(manager.told()).containsExactly(READY);
    }

    @Test
    void startThatFailsIsNeverReady() {
        ends(Condition.FAILED, Optional.of(INVALID));
        reloadEnds(0, new Verdict.Kept(INVALID));
        ends(Condition.STOPPED, Optional.empty());
        assertThat(manager.told()).containsExactly("STOPPING=1", "STATUS=failed: line 3", "STATUS=stopped");
    }

    @Test
    void reloadEndsWithReadyWhateverCameOfIt() {
        started();
        List<Verdict> all = List.of(SERVES, new Verdict.Pushed(3), new Verdict.RolledBack(4, 2),
                new Verdict.Kept(INVALID));
        for (int i = 0; i < all.size(); i++) {
            reloadStarts(i + 1);
            assertReloading();
            reloadEnds(i + 1, all.get(i));
            assertThat(manager.told()).as(all.get(i).toString()).containsExactly(READY);
        }
    }

    /// One that a later request took the place of, and one that waited for another when the service was told to drain.
    @Test
    void reloadThatNeverBeganIsNothingToTheManager() {
        started();
        reloadStarts(1);
        assertReloading();
        reloadEnds(2, new Verdict.Superseded());
        reloadEnds(3, new Verdict.Kept(DRAINING));
        assertThat(manager.told()).isEmpty();
        reloadEnds(1, new Verdict.Kept(DRAINING));
        assertThat(manager.told()).containsExactly(READY);
    }

    @Test
    void stopIsToldOnceAndNothingIsReadyAfterIt() {
        started();
        reloadStarts(1);
        assertReloading();
        ends(Condition.DRAINING, Optional.empty());
        reloadEnds(1, new Verdict.Kept(DRAINING));
        ends(Condition.STOPPED, Optional.empty());
        assertThat(manager.told()).containsExactly("STOPPING=1", "STATUS=draining", "STATUS=stopped");
        assertThat(certificates).startsWith("serves").containsOnlyOnce("goes");
    }

    /// A manager that is told STOPPING kills what a reload may bring back.
    @Test
    void drainIsNoStopAndAReloadBringsBack() {
        started();
        published(Condition.DRAINING);
        published(Condition.WITHDRAWN);
        assertThat(manager.told()).containsExactly("STATUS=draining", "STATUS=withdrawn");
        reloadStarts(1);
        assertReloading();
        reloadEnds(1, new Verdict.Kept(INVALID));
        assertThat(manager.told()).as("it waits, whatever the service is").containsExactly("READY=1\nSTATUS=withdrawn");
        published(Condition.READY);
        assertThat(manager.told()).containsExactly(READY);
        assertThat(certificates).containsExactly("serves", "leaves", "leaves", "serves");
    }

    @Test
    void lossOfWorkersIsAStatus() {
        started();
        published(Condition.RECOVERING);
        published(Condition.READY);
        assertThat(manager.told()).containsExactly("STATUS=recovering", READY);
    }

    /// A manager waits for the start, not for an authority.
    @Test
    void serviceWithoutItsCertificateHasStartedAndSaysWhatIsMissing() {
        amiss.add(MISSING);
        published(Condition.READY);
        assertThat(manager.told()).containsExactly("READY=1\nSTATUS=starting: no certificate yet");
        amiss.clear();
        List<String> told = new ArrayList<>();
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> {
            observer.turned();
            told.addAll(manager.told());
            return !told.isEmpty();
        });
        assertThat(told).containsExactly("STATUS=ready");
    }

    @Test
    void watchdogIsFedByTheLoopAloneAndFourTimesWithinWhatItWaits() {
        Duration watchdog = Duration.ofSeconds(2);
        long made = System.nanoTime();
        observer = observer(Map.of("WATCHDOG_USEC", Long.toString(watchdog.toNanos() / 1000)));
        long quarter = watchdog.toNanos() / 4;
        for (int times = 1; times <= 2; times++) {
            List<String> told = new ArrayList<>();
            Awaitility.await().atMost(Duration.ofSeconds(10)).pollInterval(Duration.ofMillis(5)).until(() -> {
                observer.turned();
                told.addAll(manager.told());
                return !told.isEmpty();
            });
            assertThat(told).containsExactly("WATCHDOG=1");
            assertThat(System.nanoTime() - made).isGreaterThanOrEqualTo(times * quarter);
        }
        published(Condition.READY);
        assertThat(manager.told()).containsExactly(READY);
    }

    @Test
    void managerWithoutAWatchdogHearsNothingOfTurns() {
        observer.turned();
        observer = observer(Map.of("WATCHDOG_USEC", "30000000", "WATCHDOG_PID", "1"));
        observer.turned();
        assertThat(manager.told()).isEmpty();
    }
}
