package io.servery.supervisor.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.config.Configuration;
import io.servery.core.config.ConfigurationInputs;
import io.servery.core.config.Outcome;
import io.servery.core.config.ServeryConfig;
import io.servery.core.control.Order;
import io.servery.core.fault.ExitCode;
import io.servery.core.lifecycle.Cause;
import io.servery.core.lifecycle.Event;
import io.servery.core.lifecycle.Fleet;
import io.servery.core.lifecycle.Moment;
import io.servery.core.lifecycle.Plan;
import io.servery.core.lifecycle.Verdict;
import io.servery.core.reason.Reason;
import io.servery.supervisor.Census;
import io.servery.supervisor.listen.ListenAddress;
import io.servery.supervisor.listen.ListenerTable;
import io.servery.supervisor.process.Command;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Changes on their way: whatever comes of one, it is answered once, and what was made for it is taken or given back.
///
/// Long because one fixture serves them all.
@EnabledOnOs(value = OS.LINUX, disabledReason = "the supervisor is Linux's")
class ChangesTest {
    private final ListenerTable table = new ListenerTable();
    private final Revisions revisions = new Revisions();
    private final Semaphore woken = new Semaphore(0);
    private final Semaphore reads = new Semaphore(0);
    private final Mailbox mailbox = new Mailbox(woken::release);
    private final List<Event> events = new ArrayList<>();
    private final List<String> made = new ArrayList<>();
    private final List<String> opened = new ArrayList<>();
    private final AtomicReference<Source> source = new AtomicReference<>(() -> accepted(0, ""));
    private final Files files = new Files();
    private Optional<Companion.Refused> refusal = Optional.empty();
    private Moment now = new Moment(0);
    private List<String> before = List.of();
    private Changes changes;

    @BeforeEach
    void begin() throws ConfigurationRefusal {
        before = Census.descriptors();
        changes = new Changes(
                new Changes.Means(() -> source.get().read(), files,
                        endpoint -> ListenAddress.of("listener", endpoint, Map.of()),
                        table, _ -> offered(), revisions, new SmallHost(),
                        (_, group) -> opened.add(table.key(group) + " " + table.address(group).text()), 1),
                mailbox, () -> now, events::add);
        changes.first(accepted(0, ""));
        changes.opened();
        assertThat(made).containsExactly("offered", "taken");
        made.clear();
    }

    @AfterEach
    void nothingIsLeftOpen() throws IOException {
        table.closeAll();
        assertThat(Census.descriptors()).isEqualTo(before);
    }

    /// What the files of identities hold, where there are any.
    private static final class Files extends NoIdentities {
        private final AtomicReference<Supplier<Reading>> next = new AtomicReference<>(
                () -> new Given(Optional.empty()));

        private void hold(long number) {
            next.set(() -> new Given(Optional.of(new Order.Identify(number,
                    List.of(new Order.Shown(List.of(), "certificate", "key")), "", List.of("00")))));
        }

        @Override
        public Reading read(ServeryConfig config) {
            return next.get().get();
        }
    }

    /// One that has no memory to give a size to.
    private static final class SmallHost implements Launches {
        @Override
        public void check(ServeryConfig config) throws ConfigurationRefusal {
            if (config.runtime().workerMemory().heapBytes().isPresent()) {
                throw new ConfigurationRefusal("runtime.worker_heap: found more than there is", ExitCode.CONFIGURATION);
            }
        }

        @Override
        public Command of(ServeryConfig config, Path controlSocket, boolean besideOthers) {
            throw new AssertionError("nothing is started");
        }
    }

    private static Outcome.Accepted accepted(int port, String files) {
        String text = """
                schema_version = 1
                [listener]
                host = "127.0.0.1"
                port = %d
                [application.static]
                %s
                """.formatted(port, files);
        return read(text);
    }

    private Companion.Offer offered() {
        if (refusal.isPresent()) {
            return refusal.get();
        }
        made.add("offered");
        return new Companion.Made() {
            @Override
            public void take(Optional<Order.Identify> identities) {
                made.add("taken");
            }

            @Override
            public void decline() {
                made.add("declined");
            }
        };
    }

    /// What the thread that reads has put into the mailbox is done.
    private void settle() throws InterruptedException {
        assertThat(woken.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        mailbox.runAll();
    }

    private static Verdict kept() {
        return new Verdict.Kept(new Cause(Reason.INVALID_CONFIG, "too late"));
    }

    private String refused() {
        assertThat(events).hasSize(1);
        return events.getFirst() instanceof Event.ConfigurationRefused(_, _, Cause(_, String text)) ? text : "";
    }

    @Test
    void readingThatReturnsAfterTheVerdictMakesNothing() throws InterruptedException {
        CountDownLatch returns = new CountDownLatch(1);
        source.set(() -> {
            try {
                returns.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return accepted(0, "listing = true");
        });
        changes.scheduled(1);
        changes.load(1);
        changes.concluded(1, kept());
        returns.countDown();
        settle();

        assertThat(events).isEmpty();
        assertThat(made).isEmpty();
    }

    @Test
    void secondReadingIsRefusedWhileTheFirstHangs() throws InterruptedException {
        CountDownLatch returns = new CountDownLatch(1);
        Source sound = source.get();
        source.set(() -> {
            try {
                returns.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return sound.read();
        });
        changes.scheduled(1);
        changes.load(1);
        changes.concluded(1, kept());
        changes.scheduled(2);
        changes.load(2);
        assertThat(refused()).contains("still being read");
        changes.concluded(2, kept());
        events.clear();
        returns.countDown();
        settle();

        changes.scheduled(3);
        changes.load(3);
        settle();
        assertThat(events).singleElement().isInstanceOf(Event.ConfigurationAccepted.class);
    }

    @Test
    void revisionThatIsOnItsWayIsKeptThoughTheFleetDoesNotKnowItYet() throws InterruptedException {
        source.set(() -> accepted(0, "listing = true"));
        changes.scheduled(1);
        changes.load(1);
        settle();
        revisions.keep(new Fleet.Ended(ExitCode.OK), changes);
        assertThat(events).singleElement().isInstanceOfSatisfying(Event.ConfigurationAccepted.class,
                one -> assertThat(revisions.of(one.plan().revision()).text()).contains("listing"));

        changes.concluded(1, kept());
        assertThat(changes.needs(2)).isFalse();
        assertThat(made).containsExactly("offered", "declined");
    }

    @Test
    void addressThatIsInUseIsRefusedAndWhatWasMadeIsGivenBack() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            source.set(() -> accepted(port, ""));
            changes.scheduled(1);
            changes.load(1);
            settle();
        }
        assertThat(refused()).contains("the address is in use");
        assertThat(made).containsExactly("offered", "declined");
        changes.concluded(1, kept());
        assertThat(made).containsExactly("offered", "declined");
    }

    @Test
    void whatTheCompanionRefusesIsNotBound() throws InterruptedException {
        refusal = Optional.of(new Companion.Refused("metrics: no", ExitCode.UNAVAILABLE));
        source.set(() -> accepted(0, "listing = true"));
        int shards = table.shards().size();
        changes.scheduled(1);
        changes.load(1);
        settle();

        assertThat(refused()).isEqualTo("metrics: no");
        assertThat(table.shards()).hasSize(shards);
    }

    @Test
    void restartKeyIsRefusedByItsName() throws InterruptedException {
        source.set(() -> {
            String text = """
                    schema_version = 1
                    [runtime]
                    state_directory = "elsewhere"
                    [listener]
                    host = "127.0.0.1"
                    port = 0
                    [application.static]
                    """;
            return Configuration.read(text.getBytes(StandardCharsets.UTF_8), new ConfigurationInputs(
                    Optional.of(Path.of("servery.toml")), Map.of(), List.of(), Path.of("").toAbsolutePath(), false));
        });
        changes.scheduled(1);
        changes.load(1);
        settle();

        assertThat(refused()).contains("runtime.state_directory");
        assertThat(made).isEmpty();
    }

    /// Else each spawning would fail, and the reload with the words of a worker that did not start.
    @Test
    void configurationThatTheHostCannotCarryIsRefusedBeforeAnythingIsMade() throws InterruptedException {
        source.set(() -> accepted(0, "[runtime]\nworker_heap = \"1GiB\""));
        changes.scheduled(1);
        changes.load(1);
        settle();

        assertThat(refused()).isEqualTo("runtime.worker_heap: found more than there is");
        assertThat(made).isEmpty();
    }

    /// A second configuration serves; the first, which began with certificate 1, is what a rollback brings back.
    private Plan replaced() throws InterruptedException {
        events.clear();
        files.hold(1);
        Plan first = reloaded(1, "");
        files.hold(2);
        reloaded(2, "listing = true");
        made.clear();
        return first;
    }

    private Plan reloaded(int reload, String files) throws InterruptedException {
        source.set(() -> accepted(0, files));
        changes.scheduled(reload);
        changes.load(reload);
        settle();
        Plan plan = accepted().plan();
        changes.concluded(reload, new Verdict.Serving(reload, plan.revision()));
        events.clear();
        return plan;
    }

    private Event.ConfigurationAccepted accepted() {
        assertThat(events).singleElement().isInstanceOf(Event.ConfigurationAccepted.class);
        return (Event.ConfigurationAccepted) events.getFirst();
    }

    private long shown(Plan plan) {
        return revisions.of(plan.revision()).identities().orElseThrow().number();
    }

    @Test
    void whatIsBroughtBackBeginsWithTheIdentitiesOfNow() throws InterruptedException {
        Plan first = replaced();
        files.hold(3);
        changes.restore(3, first);
        assertThat(changes.needs(first.revision())).as("while it is read").isTrue();
        settle();

        Plan restored = accepted().plan();
        assertThat(shown(restored)).isEqualTo(3);
        assertThat(revisions.of(restored.revision()).text()).isEqualTo(revisions.of(first.revision()).text());
        assertThat(shown(first)).as("what is told of the one before").isEqualTo(1);
        assertThat(changes.deadline()).isEmpty();
        changes.concluded(3, new Verdict.RolledBack(3, restored.revision()));
        assertThat(changes.serving()).isEqualTo(restored.revision());
        assertThat(made).containsExactly("offered", "taken");
    }

    @Test
    void whatIsBroughtBackShowsWhatItShowedWhereThatCannotBeRead() throws InterruptedException {
        Plan first = replaced();
        files.next.set(() -> new Identities.Refused("no such file"));
        changes.restore(3, first);
        settle();
        assertThat(shown(accepted().plan())).isEqualTo(1);
        changes.concluded(3, kept());
        events.clear();

        files.next.set(() -> {
            throw new IllegalStateException("a bug");
        });
        changes.restore(4, first);
        settle();
        assertThat(shown(accepted().plan())).isEqualTo(1);
    }

    @Test
    void fileSystemThatHangsHoldsUpWhatIsBroughtBackForFiveSecondsAtMost() throws InterruptedException {
        Plan first = replaced();
        CountDownLatch returns = hang();
        changes.restore(3, first);
        Moment until = changes.deadline().orElseThrow();
        assertThat(until).isEqualTo(now.plus(Duration.ofSeconds(5)));
        changes.passed(now.plus(Duration.ofSeconds(4)));
        assertThat(events).isEmpty();
        changes.passed(until);
        assertThat(shown(accepted().plan())).isEqualTo(1);
        changes.concluded(3, kept());
        events.clear();

        changes.restore(4, first);
        assertThat(shown(accepted().plan())).as("it still hangs").isEqualTo(1);
        events.clear();
        returns.countDown();
        settle();
        assertThat(events).as("it returns too late").isEmpty();
    }

    /// The file system of its certificates hangs, which may be what the next reload mends.
    @Test
    void reloadIsReadThoughTheReadingForWhatWasBroughtBackStillHangs() throws InterruptedException {
        reloadIsReadWhileThatHangs(() -> {
            changes.passed(changes.deadline().orElseThrow());
            changes.concluded(3, new Verdict.RolledBack(3, accepted().plan().revision()));
            events.clear();
        });
    }

    /// A `drain` has ended what was to be brought back.
    @Test
    void reloadIsReadWhileWhatIsNotWantedAnyMoreIsStillRead() throws InterruptedException {
        reloadIsReadWhileThatHangs(() -> changes.concluded(3, kept()));
    }

    /// @param ends what becomes of the change whose reading hangs
    private void reloadIsReadWhileThatHangs(Runnable ends) throws InterruptedException {
        Plan first = replaced();
        CountDownLatch returns = hang();
        changes.restore(3, first);
        reads.acquire();
        ends.run();

        files.hold(4);
        assertThat(shown(reloaded(4, "listing = true"))).isEqualTo(4);
        returns.countDown();
        settle();
        assertThat(events).as("it returns too late").isEmpty();
    }

    /// What is read from now on waits for this; whoever has begun to wait is in `reads`.
    private CountDownLatch hang() {
        CountDownLatch returns = new CountDownLatch(1);
        files.next.set(() -> {
            reads.release();
            try {
                returns.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return new Identities.Given(Optional.empty());
        });
        return returns;
    }

    @Test
    void addressThatIsNewIsToldOf() throws InterruptedException {
        source.set(() -> accepted(0, "[runtime]\nworkers = 1"));
        changes.scheduled(1);
        changes.load(1);
        settle();
        assertThat(opened).as("the same address").isEmpty();

        changes.concluded(1, kept());
        source.set(() -> ofHost("::1"));
        changes.scheduled(2);
        changes.load(2);
        settle();
        assertThat(opened).singleElement().asString().startsWith("listener [");
    }

    @Test
    void portToRedirectFromIsOpenedOnEveryHostAndOnlyWithAllOthers() throws Exception {
        int free = free();
        source.set(() -> redirecting(free, free()));
        changes.scheduled(1);
        changes.load(1);
        settle();
        assertThat(events.getFirst()).isInstanceOf(Event.ConfigurationAccepted.class);
        assertThat(opened).hasSize(4).filteredOn(line -> line.startsWith("listener.redirect_port ")).hasSize(2)
                .anyMatch(line -> line.contains("127.0.0.1:")).anyMatch(line -> line.contains("127.0.0.2:"));
        changes.concluded(1, kept());
        table.closeAll();
        events.clear();

        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.2"))) {
            source.set(() -> redirecting(free, taken.getLocalPort()));
            changes.scheduled(2);
            changes.load(2);
            settle();
            assertThat(refused()).startsWith("listener.redirect_port: cannot listen on 127.0.0.2 port "
                    + taken.getLocalPort() + ": the address is in use");
            assertThat(table.shards()).as("nothing is bound for it").isEmpty();
        }
    }

    private static int free() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Outcome.Accepted redirecting(int port, int redirectPort) {
        return read("""
                schema_version = 1
                [listener]
                host = ["127.0.0.1", "127.0.0.2"]
                port = %d
                redirect_port = %d
                [tls]
                mode = "self-signed"
                """.formatted(port, redirectPort));
    }

    private static Outcome.Accepted ofHost(String host) {
        return read("""
                schema_version = 1
                [listener]
                host = "%s"
                port = 0
                """.formatted(host));
    }

    private static Outcome.Accepted read(String text) {
        Outcome read = Configuration.read(text.getBytes(StandardCharsets.UTF_8),
                new ConfigurationInputs(Optional.of(Path.of("servery.toml")), Map.of(), List.of(),
                        Path.of("").toAbsolutePath(), false));
        if (read instanceof Outcome.Accepted accepted) {
            return accepted;
        }
        throw new AssertionError(read);
    }
}
