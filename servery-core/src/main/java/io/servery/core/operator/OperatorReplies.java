package io.servery.core.operator;

import io.servery.core.fault.ExitCode;
import io.servery.core.lifecycle.Cause;
import io.servery.core.lifecycle.Verdict;
import io.servery.core.reason.Reason;
import java.util.List;
import java.util.Optional;

/// The replies of a parent, in words: data on standard output, diagnostics on standard error.
public final class OperatorReplies {
    private OperatorReplies() {
    }

    /// How the service is, as the request wants it.
    public static OperatorReply status(OperatorRequest request, FleetStatus status) {
        return switch (request.command()) {
            case STATUS -> OperatorReply.out(ExitCode.OK, request.json() ? status.json() : status.text());
            case READY -> OperatorReply.out(status.isReady() ? ExitCode.OK : ExitCode.FAILED,
                    request.json() ? status.json() : status.line());
            case RELOAD, ROLLBACK, DRAIN, STOP, RENEW, FORCE_RENEWAL -> throw new IllegalArgumentException(
                    "operator: found " + request.command() + "; expected a question");
        };
    }

    /// What a change of configuration came to.
    ///
    /// @param workers of the generation that serves now
    /// @param serving its number, if any serves
    /// @param changed the keys whose values differ
    public record Change(OperatorCommand asked, int workers, Optional<Integer> serving, List<String> changed) {
        public Change {
            changed = List.copyOf(changed);
        }

        private String keys() {
            return changed.isEmpty() ? "nothing" : String.join(", ", changed);
        }

        private String servesOn() {
            return serving.map(number -> "generation " + number + " serves on\n").orElse("nothing serves\n");
        }
    }

    /// What became of a reload or a rollback.
    ///
    /// A configuration that is invalid is [ExitCode#CONFIGURATION]; its cause is then the text of all faults.
    public static OperatorReply verdict(Verdict verdict, Change change) {
        return switch (verdict) {
            case Verdict.Pushed _ ->
                OperatorReply.out(ExitCode.OK, "applied without a new generation: " + change.keys() + "\n");
            case Verdict.Serving(int generation, _) -> OperatorReply.out(ExitCode.OK, serves(generation, change)
                    + ", changed: " + change.keys() + "\n");
            case Verdict.RolledBack(int generation, _) -> rolledBack(generation, change);
            case Verdict.Kept(Cause cause) -> OperatorReply.err(
                    cause.reason() == Reason.INVALID_CONFIG && change.asked() == OperatorCommand.RELOAD
                            ? ExitCode.CONFIGURATION
                            : ExitCode.FAILED,
                    why(cause) + change.servesOn());
            case Verdict.Superseded() -> OperatorReply.err(ExitCode.FAILED,
                    "superseded: something else was asked for before this began\n" + change.servesOn());
        };
    }

    private static String serves(int generation, Change change) {
        return "generation " + generation + " serves: " + workers(change.workers()) + " ready";
    }

    /// Whoever asked for it has what was asked for; whoever asked for a reload has not.
    private static OperatorReply rolledBack(int generation, Change change) {
        String text = serves(generation, change) + ", with the configuration that was good before\n";
        return change.asked() == OperatorCommand.ROLLBACK
                ? OperatorReply.out(ExitCode.OK, text)
                : OperatorReply.err(ExitCode.FAILED, "rolled back: " + text);
    }

    /// Faults are lines of their own; one sentence says whose cause it is.
    private static String why(Cause cause) {
        String text = cause.text().strip();
        return cause.reason() == Reason.INVALID_CONFIG ? text + "\n" : cause.reason().code() + ": " + text + "\n";
    }

    /// The service takes nothing more, and all work has ended.
    public static OperatorReply drained() {
        return OperatorReply.out(ExitCode.OK, "drained: `reload` brings it back, `stop` ends it\n");
    }

    /// The service ends with this code: nothing is left of it but the parent that says so.
    public static OperatorReply stopped(ExitCode code) {
        return code == ExitCode.OK
                ? OperatorReply.out(ExitCode.OK, "stopped\n")
                : OperatorReply.err(ExitCode.FAILED, "stopped with exit code " + code.code()
                        + ": its last events say why\n");
    }

    /// Something else came in the way of what was asked for.
    public static OperatorReply refused(String why) {
        return OperatorReply.err(ExitCode.FAILED, why + "\n");
    }

    /// What was sent is no request of this protocol.
    ///
    /// @param what as [OperatorRequest#decode] has it
    public static OperatorReply malformed(String what) {
        return OperatorReply.err(ExitCode.USAGE, "operator: " + what + "\n");
    }

    private static String workers(int count) {
        return count == 1 ? "1 worker" : count + " workers";
    }
}
