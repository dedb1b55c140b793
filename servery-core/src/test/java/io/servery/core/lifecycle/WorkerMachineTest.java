package io.servery.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.servery.core.control.Bounds;
import io.servery.core.control.Report;
import io.servery.core.control.Shard;
import io.servery.core.lifecycle.Event.ChannelClosed;
import io.servery.core.lifecycle.Event.Exited;
import io.servery.core.lifecycle.Event.MovesWorker;
import io.servery.core.lifecycle.Event.Reported;
import io.servery.core.lifecycle.Event.SpawnFailed;
import io.servery.core.lifecycle.Event.TimePassed;
import io.servery.core.reason.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every state of a worker and every event that can meet it: the whole table.
class WorkerMachineTest {
    private static final WorkerId ID = new WorkerId(1, 0, 1);
    private static final Moment START = new Moment(0);
    private static final Cause WHY = new Cause(Reason.RECYCLE_AGE, "it was of age");

    /// `=` stays, `!` cannot be: a bug of the parent.
    private static final String TABLE = """
            event        Starting     Preparing    Prepared     Committed    Ready        Silent       Draining     Terminating  Killed
            hello        Preparing    Terminating  Terminating  Terminating  Terminating  Terminating  Terminating  =            =
            prepared     Terminating  Prepared     Terminating  Terminating  Terminating  Terminating  Terminating  =            =
            ready        Terminating  Terminating  Terminating  Ready        Terminating  Terminating  Terminating  =            =
            heartbeat    Terminating  =            =            =            Ready        Ready        =            =            =
            loop-9       Terminating  =            =            =            Terminating  Terminating  =            =            =
            released     Terminating  Terminating  Terminating  Terminating  =            =            =            =            =
            failed       Terminating  Terminating  Terminating  Terminating  Terminating  Terminating  Terminating  =            =
            drained      Terminating  Terminating  Terminating  Terminating  Terminating  Terminating  Draining     =            =
            exiting      Terminating  Terminating  Terminating  Terminating  Terminating  Terminating  Draining     =            =
            snapshot     Terminating  =            =            =            =            =            =            =            =
            closed       Terminating  Terminating  Terminating  Terminating  Terminating  Terminating  Draining     =            =
            exited       Gone         Gone         Gone         Gone         Gone         Gone         Gone         Gone         Gone
            not-spawned  Gone         !            !            !            !            !            !            Gone         Gone
            time-before  =            =            =            =            =            =            =            =            =
            time         Terminating  Terminating  =            Terminating  Silent       Killed       Terminating  Killed       Gone
            """;

    private static final Plan PLAN = Plans.of(1);

    private static Map<String, Worker> states() {
        Moment until = START.plus(PLAN.timing().start());
        Pulse pulse = Pulse.of(1, START);
        Map<String, Worker> states = new LinkedHashMap<>();
        for (Worker worker : List.of(new Worker.Starting(ID, until), new Worker.Preparing(ID, until),
                new Worker.Prepared(ID, until), new Worker.Committed(ID, until), new Worker.Ready(ID, START, pulse),
                new Worker.Silent(ID, START, pulse), new Worker.Draining(ID, until, WHY),
                new Worker.Terminating(ID, until, WHY), new Worker.Killed(ID, until, WHY))) {
            states.put(worker.getClass().getSimpleName(), worker);
        }
        return states;
    }

    private static MovesWorker event(String name, Worker worker) {
        Moment due = worker.deadline(PLAN.timing()).orElse(START.plus(PLAN.timing().start()));
        Moment before = new Moment(due.nanos() - 1);
        return switch (name) {
            case "hello" -> new Reported(START, ID, new Report.Hello(Bounds.VERSION, "build", "token"));
            case "prepared" -> new Reported(START, ID, new Report.Prepared());
            case "ready" -> new Reported(START, ID, new Report.Ready());
            case "heartbeat" -> new Reported(START, ID, new Report.Heartbeat(0, 1, 1));
            case "loop-9" -> new Reported(START, ID, new Report.Heartbeat(9, 1, 1));
            case "released" -> new Reported(START, ID, new Report.Released(1, List.of(new Shard(0, 0))));
            case "failed" -> new Reported(START, ID, new Report.Failed(Reason.HEALTH_FAILURE, "out of heap"));
            case "drained" -> new Reported(START, ID, new Report.Drained(2));
            case "exiting" -> new Reported(START, ID, new Report.Exiting(0, "asked by the application"));
            case "snapshot" -> new Reported(START, ID, new Report.MetricsSnapshot(List.of()));
            case "closed" -> new ChannelClosed(START, ID, "closed its control channel");
            case "exited" -> new Exited(START, ID, new ExitStatus.Code(1));
            case "not-spawned" -> new SpawnFailed(START, ID, "no memory");
            case "time-before" -> new TimePassed(before);
            case "time" -> new TimePassed(due);
            default -> throw new IllegalArgumentException(name);
        };
    }

    @TestFactory
    List<DynamicTest> everyPairLeadsWhereTheTableSays() {
        List<List<String>> rows = TABLE.lines().map(line -> Arrays.asList(line.strip().split(" +"))).toList();
        List<String> columns = rows.getFirst();
        List<DynamicTest> tests = new ArrayList<>();
        for (List<String> row : rows.subList(1, rows.size())) {
            for (int column = 1; column < columns.size(); column++) {
                Worker worker = states().get(columns.get(column));
                String expected = row.get(column);
                tests.add(DynamicTest.dynamicTest(row.getFirst() + " while " + columns.get(column),
                        () -> check(worker, event(row.getFirst(), worker), expected)));
            }
        }
        assertThat(tests).hasSize(15 * states().size());
        return tests;
    }

    private static void check(Worker worker, MovesWorker event, String expected) {
        Turn turn = new Turn(event.at());
        WorkerMachine machine = new WorkerMachine(PLAN, turn);
        switch (expected) {
            case "!" -> assertThatIllegalStateException().isThrownBy(() -> machine.step(worker, event));
            case "=" -> {
                assertThat(machine.step(worker, event)).isEqualTo(worker);
                assertThat(turn.effects()).isEmpty();
            }
            default -> {
                Worker next = machine.step(worker, event);
                assertThat(next.getClass().getSimpleName()).isEqualTo(expected);
                assertThat(next).isNotEqualTo(worker);
                assertThat(turn.effects().stream().anyMatch(Effect.Signal.class::isInstance))
                        .isEqualTo(expected.equals("Terminating") || expected.equals("Killed"));
            }
        }
    }
}
