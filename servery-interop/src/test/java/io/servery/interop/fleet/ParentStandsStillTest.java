package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.Answer;
import io.servery.interop.Heard;
import io.servery.interop.OsProcess;
import io.servery.interop.WireConnection;
import io.servery.interop.load.Kind;
import io.servery.interop.load.Load;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// A parent that stands still for longer than a worker may: workers serve without it, and it takes its own silence for none of
/// theirs.
@Isolated
class ParentStandsStillTest {
    /// At ten a second: five seconds and more.
    private static final int PROBES = 50;
    private static final int PROBES_AFTERWARDS = 10;
    private static final int PEERS = 30;
    private static final String[] TWO_WORKERS = {"workers = 2", "hang_timeout = \"2s\""};

    @TempDir
    Path folder;

    private Configuration configuration() {
        return Configuration.of(folder, Load.generate(folder.resolve("site")).root()).runtime(TWO_WORKERS);
    }

    private static void awaitProbes(Service service, Load load, int count) {
        long before = load.answers(Kind.PROBE);
        service.await("probes", () -> load.answers(Kind.PROBE) >= before + count);
    }

    @Test
    void workersServeMeanwhileAndAreTheSameAfterwards() throws Exception {
        try (Service service = Service.start(configuration());
                Load load = Load.start(service.port(), Load.Mix.USUAL)) {
            List<Long> pids = service.workerPids();
            service.parent().stop();
            awaitProbes(service, load, PROBES);
            assertThat(service.adminStatus("/livez")).as("what the parent answers").isZero();
            service.signal("CONT");
            service.await("a parent that is back", service::ready);
            awaitProbes(service, load, PROBES_AFTERWARDS);
            load.stop();
            assertThat(load.lost()).as(() -> load + "\n" + service.errorText()).isEmpty();
            service.settled(2);
            assertThat(service.workerPids()).isEqualTo(pids);
            assertThat(service.events("worker.exited", 0)).isEmpty();
            assertThat(service.run("reload").code()).isZero();
            service.settled(2);
        }
    }

    /// Nobody takes over what it read until then: who came to its sockets waits, and is answered.
    @Test
    void workerThatDiesMeanwhileIsReplacedAfterwards() {
        try (Service service = Service.start(configuration())) {
            OsProcess dead = service.workers().getFirst();
            service.parent().stop();
            dead.signal("KILL");
            service.await("its end", () -> !dead.runs());
            List<WireConnection> asking = new ArrayList<>();
            for (int i = 0; i < PEERS; i++) {
                asking.add(service.connect().get("/hello.txt"));
            }
            service.signal("CONT");
            for (WireConnection connection : asking) {
                Heard heard = connection.hear(Service.PATIENCE);
                assertThat(heard).as(WireConnection.describe(heard)).isInstanceOf(Answer.class);
                connection.close();
            }
            assertThat(service.awaitExit(dead.pid()).text("message")).contains("killed by signal 9");
            service.settled(2);
            assertThat(service.workerPids()).doesNotContain(dead.pid());
        }
    }
}
