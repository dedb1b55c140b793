package io.servery.acme.order;

import io.servery.acme.challenge.ChallengeBoard;
import io.servery.acme.challenge.Name;
import io.servery.acme.challenge.OpenChallenge;
import io.servery.core.control.Challenges;
import io.servery.core.reason.Reason;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.shredzone.acme4j.Authorization;
import org.shredzone.acme4j.Identifier;
import org.shredzone.acme4j.Order;
import org.shredzone.acme4j.Status;
import org.shredzone.acme4j.challenge.Challenge;
import org.shredzone.acme4j.challenge.TokenChallenge;
import org.shredzone.acme4j.exception.AcmeException;

/// The authority verifies the names of one order (RFC 8555, section 7.5).
///
/// *Invariant*: it is told of a challenge only after every worker has acknowledged what it answers.
final class Validation {
    private static final Set<Status> DECIDED = Set.of(Status.VALID, Status.INVALID, Status.EXPIRED, Status.REVOKED,
            Status.DEACTIVATED);

    private final AcmeSettings settings;
    private final ChallengeBoard board;
    private final Cancellation cancellation;
    private final Clock clock;

    Validation(AcmeSettings settings, ChallengeBoard board, Cancellation cancellation, Clock clock) {
        this.settings = settings;
        this.board = board;
        this.cancellation = cancellation;
        this.clock = clock;
    }

    /// A name that is still to be verified, and how.
    private record Open(Authorization authorization, Name name, TokenChallenge challenge) {
    }

    void run(Order order) throws AcmeException, AttemptException, CancelledException {
        List<Open> open = new ArrayList<>();
        for (Authorization authorization : order.getAuthorizations()) {
            cancellation.check();
            authorization.fetch();
            if (authorization.getStatus() != Status.VALID) {
                open.add(open(authorization));
            }
        }
        if (open.isEmpty()) {
            return;
        }
        try {
            publish(open);
            for (Open one : open) {
                cancellation.check();
                if (one.challenge.getStatus() == Status.PENDING) {
                    one.challenge.trigger();
                }
            }
            Instant until = clock.instant().plus(settings.limits().validation());
            for (Open one : open) {
                verified(one, until);
            }
        } finally {
            // Nobody waits for its acknowledgement: what is answered too long harms nobody.
            var _ = board.publish(Challenges.NONE);
        }
    }

    private Open open(Authorization authorization) throws AttemptException {
        Name name = name(authorization.getIdentifier());
        if (authorization.getStatus() != Status.PENDING) {
            throw failure(name, authorization);
        }
        String kind = settings.acme().challenge().word();
        Challenge challenge = authorization.getChallenges().stream().filter(one -> one.getType().equals(kind))
                .findFirst()
                .orElseThrow(() -> new AttemptException(Reason.CA_REJECTED, name.text() + ": found "
                        + authorization.getChallenges().stream().map(Challenge::getType).toList() + "; expected "
                        + kind));
        if (!(challenge instanceof TokenChallenge token)) {
            throw new AttemptException(Reason.NETWORK_FAILURE, name.text() + ": found a challenge without a token;"
                    + " expected one");
        }
        return new Open(authorization, name, token);
    }

    private void publish(List<Open> open) throws AttemptException, CancelledException {
        Challenges answers = OpenChallenge.answers(settings.acme().challenge(), open.stream()
                .map(one -> new OpenChallenge(one.name, one.challenge.getAuthorization())).toList(), clock.instant());
        try {
            cancellation.await(board.publish(answers).toCompletableFuture(), settings.limits().publication());
        } catch (ExecutionException refused) {
            Throwable why = refused.getCause();
            if (why instanceof CancellationException) {
                throw new CancelledException();
            }
            throw AttemptException.keepingTheOrder(Reason.CHALLENGE_FAILURE,
                    "found that a worker did not take up the challenges ("
                            + (why == null ? refused : why).getMessage() + "); expected all to");
        } catch (TimeoutException late) {
            throw AttemptException.keepingTheOrder(Reason.CHALLENGE_FAILURE,
                    "found that a worker did not take up the challenges"
                            + " within " + settings.limits().publication() + "; expected all to");
        }
    }

    private void verified(Open one, Instant until) throws AcmeException, AttemptException, CancelledException {
        Status status = new Polling(cancellation, clock).await(one.authorization, DECIDED, until, one.name.text());
        if (status != Status.VALID) {
            throw failure(one.name, one.authorization);
        }
    }

    private static AttemptException failure(Name name, Authorization authorization) {
        String why = authorization.getChallenges().stream().flatMap(one -> one.getError().stream())
                .map(problem -> problem.getType() + ": " + problem).findFirst()
                .orElse("its authorization is " + authorization.getStatus());
        return new AttemptException(Reason.CHALLENGE_FAILURE, name.text() + ": " + why);
    }

    private static Name name(Identifier identifier) {
        return identifier.getType().equals(Identifier.TYPE_IP)
                ? new Name.Ip(identifier.getIP())
                : Name.of(identifier.getDomain());
    }
}
