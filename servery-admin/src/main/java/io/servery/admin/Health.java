package io.servery.admin;

import java.util.List;

/// Whether the service is live and ready, and why not: words of the vocabulary, such as a reason code or a state.
///
/// *Invariant*: whatever is not live is not ready, and whatever is not ready says why.
public record Health(boolean live, boolean ready, List<String> reasons) {
    public Health {
        reasons = List.copyOf(reasons);
        if (ready && !live) {
            throw new IllegalArgumentException("health: found ready without live; expected live");
        }
        if (!ready && reasons.isEmpty()) {
            throw new IllegalArgumentException("health: found no reason; expected one for not being ready");
        }
        for (String reason : reasons) {
            if (!reason.matches("[a-z][a-z0-9_]*")) {
                throw new IllegalArgumentException("health: found a reason that is not a word; expected [a-z0-9_]+");
            }
        }
    }

    /// Live and ready.
    public static Health readyNow() {
        return new Health(true, true, List.of());
    }

    /// Live and not ready for these reasons: starting, draining.
    public static Health notReady(List<String> reasons) {
        return new Health(true, false, reasons);
    }

    /// Neither, for these reasons: it cannot recover and lives only to say why.
    public static Health failed(List<String> reasons) {
        return new Health(false, false, reasons);
    }
}
