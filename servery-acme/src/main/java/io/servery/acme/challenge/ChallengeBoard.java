package io.servery.acme.challenge;

import io.servery.core.control.Challenges;
import java.util.concurrent.CompletionStage;

/// The way to the workers.
public interface ChallengeBoard {
    /// From now on these are answered and no others; [Challenges#NONE] takes them all down.
    ///
    /// Called from the thread of ACME. Workers that start later are given them before they read.
    ///
    /// @param challenges all of an order
    /// @return completes when *every* worker that accepts connections has acknowledged them: only then is the authority told,
    ///         which asks whichever worker accepts first. Completes exceptionally when one cannot; with a
    ///         [java.util.concurrent.CancellationException] when the service ends, which is no failure.
    CompletionStage<Void> publish(Challenges challenges);
}
