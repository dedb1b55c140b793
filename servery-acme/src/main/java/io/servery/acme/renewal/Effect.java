package io.servery.acme.renewal;

/// Something to do: imperatives for whoever steps the machine, in this order. There is none for time: after each step
/// [Renewal#deadline] says when the next one is due at the latest.
public sealed interface Effect {

    /// Ask the authority when the certificate should be renewed; the answer is [Event.Consulted].
    record Consult(int number) implements Effect {
    }

    /// Get a certificate and keep it as the candidate; the answer is [Event.Obtained], [Event.AttemptFailed] or
    /// [Event.Cancelled].
    record Order(int number) implements Effect {
    }

    /// End the attempt of this number soon.
    record Cancel(int number) implements Effect {
    }

    /// Give the candidate to every worker; the answer is [Event.Activated] or [Event.ActivationFailed].
    ///
    /// @param again although it was given to them before: what was sent may be lost
    record Activate(int number, boolean again) implements Effect {
    }

    /// The candidate is the certificate from now on, over restarts too.
    record Promote() implements Effect {
    }

    /// Forget the candidate.
    record Discard() implements Effect {
    }

    /// Keep this over restarts.
    record Remember(History history) implements Effect {
    }

    /// Answer whoever asked. Each request is answered exactly once.
    record Reply(int request, Verdict verdict) implements Effect {
    }

    /// Let the operator know: an event, and a metric.
    record Note(Fact fact) implements Effect {
    }
}
