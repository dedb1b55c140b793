package io.servery.netty.identity.acme;

import io.servery.acme.renewal.Lifetime;
import io.servery.acme.renewal.Verdict;
import io.servery.core.fault.ExitCode;
import io.servery.core.operator.OperatorReply;
import io.servery.core.reason.Reason;
import java.time.Instant;

/// What became of `renew`, in words.
final class RenewalAnswers {
    private RenewalAnswers() {
    }

    static OperatorReply of(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Renewed(Lifetime certificate) -> OperatorReply.out(ExitCode.OK,
                    "renewed: every worker shows a certificate that is valid until " + certificate.until() + "\n");
            case Verdict.NotDue(Instant due) -> OperatorReply.out(ExitCode.OK, Reason.NOT_DUE.code()
                    + ": the certificate is renewed at " + due + " by itself; --force renews it now\n");
            case Verdict.Blocked(Instant until) -> OperatorReply.err(ExitCode.TEMPORARY,
                    "not renewed: the authority wants no attempt before " + until + "\n");
            case Verdict.Failed(Reason reason, String detail, Instant next) -> OperatorReply.err(ExitCode.FAILED,
                    "not renewed: " + reason.code() + ": " + detail + "\nwhat was shown is shown; next attempt at "
                            + next + "\n");
            case Verdict.Stopping _ -> OperatorReply.err(ExitCode.FAILED,
                    "not renewed: the service ends, or another configuration took over\n");
            case Verdict.Busy _ -> OperatorReply.err(ExitCode.TEMPORARY,
                    "not renewed: as many operators wait as may\n");
        };
    }
}
