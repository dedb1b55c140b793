package io.servery.core.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.servery.core.fault.ExitCode;
import io.servery.core.lifecycle.Cause;
import io.servery.core.lifecycle.Condition;
import io.servery.core.lifecycle.Verdict;
import io.servery.core.operator.OperatorReplies.Change;
import io.servery.core.reason.Reason;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What an operator is told, and with which exit code.
class OperatorRepliesTest {
    private static final Change CHANGE = new Change(OperatorCommand.RELOAD, 2, Optional.of(3),
            List.of("listener.port", "runtime.workers"));
    private static final FleetStatus READY = new FleetStatus(Condition.READY, List.of(), 3, 1, List.of(), List.of(),
            List.of(), List.of(), new WorkerLimits(1, List.of()));
    private static final FleetStatus FAILED = new FleetStatus(Condition.FAILED, List.of("no worker is left"), 3, 1,
            List.of(), List.of(), List.of(), List.of(), new WorkerLimits(1, List.of()));

    @Test
    void newGenerationSaysWhoServesAndWhatChanged() {
        assertThat(OperatorReplies.verdict(new Verdict.Serving(4, 2), CHANGE)).isEqualTo(new OperatorReply(0,
                "generation 4 serves: 2 workers ready, changed: listener.port, runtime.workers\n", ""));
        assertThat(OperatorReplies.verdict(new Verdict.Serving(4, 2),
                new Change(OperatorCommand.RELOAD, 1, Optional.of(4), List.of())).out())
                .isEqualTo("generation 4 serves: 1 worker ready, changed: nothing\n");
    }

    @Test
    void pushedValuesNeedNoGeneration() {
        assertThat(OperatorReplies.verdict(new Verdict.Pushed(2), CHANGE)).isEqualTo(new OperatorReply(0,
                "applied without a new generation: listener.port, runtime.workers\n", ""));
    }

    @Test
    void whatWasKeptServesOn() {
        Verdict kept = new Verdict.Kept(new Cause(Reason.APPLICATION_STARTUP_FAILURE, "no module named shop\n"));

        assertThat(OperatorReplies.verdict(kept, CHANGE)).isEqualTo(new OperatorReply(1, "",
                "application_startup_failure: no module named shop\ngeneration 3 serves on\n"));
        assertThat(OperatorReplies.verdict(kept, new Change(OperatorCommand.RELOAD, 0, Optional.empty(), List.of()))
                .err()).endsWith("shop\nnothing serves\n");
    }

    @Test
    void invalidConfigurationIsPrintedAsCheckDoes() {
        String faults = "servery.toml:2:1: error: unknown key `x`\n   2 | x = 1\n     | ^\n";

        assertThat(OperatorReplies.verdict(new Verdict.Kept(new Cause(Reason.INVALID_CONFIG, faults)), CHANGE))
                .isEqualTo(new OperatorReply(78, "", faults + "generation 3 serves on\n"));
    }

    @Test
    void rollbackIsWhatWasAskedForOrIsNot() {
        Verdict rolledBack = new Verdict.RolledBack(5, 1);

        assertThat(OperatorReplies.verdict(rolledBack, new Change(OperatorCommand.ROLLBACK, 2, Optional.of(5),
                List.of()))).isEqualTo(new OperatorReply(0,
                        "generation 5 serves: 2 workers ready, with the configuration that was good before\n", ""));
        assertThat(OperatorReplies.verdict(rolledBack, CHANGE)).isEqualTo(new OperatorReply(1, "",
                "rolled back: generation 5 serves: 2 workers ready, with the configuration that was good before\n"));
    }

    @Test
    void whoeverIsSupersededIsNotServed() {
        assertThat(OperatorReplies.verdict(new Verdict.Superseded(), CHANGE)).isEqualTo(new OperatorReply(1, "",
                "superseded: something else was asked for before this began\ngeneration 3 serves on\n"));
    }

    @Test
    void readinessIsTheExitCodeAndStatusIsNot() {
        OperatorRequest ready = new OperatorRequest(OperatorCommand.READY, false);
        OperatorRequest status = new OperatorRequest(OperatorCommand.STATUS, false);

        assertThat(OperatorReplies.status(ready, READY)).isEqualTo(new OperatorReply(0, "ready\n", ""));
        assertThat(OperatorReplies.status(ready, FAILED))
                .isEqualTo(new OperatorReply(1, "not ready: no worker is left\n", ""));
        assertThat(OperatorReplies.status(status, FAILED)).isEqualTo(new OperatorReply(0, FAILED.text(), ""));
        assertThat(OperatorReplies.status(new OperatorRequest(OperatorCommand.READY, true), FAILED))
                .isEqualTo(new OperatorReply(1, FAILED.json(), ""));
        assertThatIllegalArgumentException().isThrownBy(
                () -> OperatorReplies.status(new OperatorRequest(OperatorCommand.STOP, false), READY));
    }

    @Test
    void endsHaveWordsToo() {
        assertThat(OperatorReplies.stopped(ExitCode.OK)).isEqualTo(new OperatorReply(0, "stopped\n", ""));
        assertThat(OperatorReplies.stopped(ExitCode.FAILED).exit()).isEqualTo(1);
        assertThat(OperatorReplies.drained().exit()).isZero();
        assertThat(OperatorReplies.refused("it stops")).isEqualTo(new OperatorReply(1, "", "it stops\n"));
        assertThat(OperatorReplies.malformed("request: found x"))
                .isEqualTo(new OperatorReply(2, "", "operator: request: found x\n"));
    }
}
