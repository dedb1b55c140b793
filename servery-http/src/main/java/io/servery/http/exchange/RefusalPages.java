package io.servery.http.exchange;

import io.servery.http.semantics.Status;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The answer for each refusal, made once: a short page that says what was wrong in our words, never in the peer's bytes.
public final class RefusalPages {
    private static final String RETRY_AFTER_SECONDS = "1";

    private final ResponsePlan.Bytes[] plans;
    private final boolean reasonShown;

    /// @param reasonShown whether `Servery-Reason` names the reason code: true in the local profile, false in production
    public RefusalPages(boolean reasonShown) {
        this.reasonShown = reasonShown;
        Refusal[] rows = Refusal.values();
        this.plans = new ResponsePlan.Bytes[rows.length];
        for (Refusal row : rows) {
            plans[row.ordinal()] = page(row, List.of());
        }
    }

    /// The answer for this refusal; shared, made once.
    public ResponsePlan.Bytes plan(Refusal refusal) {
        return plans[refusal.ordinal()];
    }

    /// The answer for this refusal with more fields, such as `Allow` or `Content-Range`.
    public ResponsePlan.Bytes plan(Refusal refusal, List<ResponseHead.Field> more) {
        return page(refusal, more);
    }

    /// The fields that every answer of this refusal carries beside its content's: for answers with content of their own.
    public List<ResponseHead.Field> fields(Refusal refusal) {
        ResponseHead.Builder head = ResponseHead.status(refusal.status());
        addFields(head, refusal);
        return head.length(0).fields();
    }

    private void addFields(ResponseHead.Builder head, Refusal refusal) {
        if (reasonShown) {
            head.with("Servery-Reason", refusal.reason().code());
        }
        if (refusal.retryable()) {
            head.with("Retry-After", RETRY_AFTER_SECONDS);
        }
    }

    private ResponsePlan.Bytes page(Refusal refusal, List<ResponseHead.Field> more) {
        String title = refusal.status() + " " + Status.phrase(refusal.status());
        byte[] content = (title + ": " + refusal.detail() + ".\n").getBytes(StandardCharsets.US_ASCII);
        ResponseHead.Builder head = ResponseHead.status(refusal.status())
                .with("Content-Type", "text/plain; charset=utf-8")
                .with("X-Content-Type-Options", "nosniff");
        addFields(head, refusal);
        return new ResponsePlan.Bytes(head.with(more).length(content.length), content);
    }
}
