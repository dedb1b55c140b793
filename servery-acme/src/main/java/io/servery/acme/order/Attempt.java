package io.servery.acme.order;

import io.servery.acme.challenge.ChallengeBoard;
import io.servery.acme.challenge.Name;
import io.servery.acme.store.Loaded;
import io.servery.acme.store.PendingOrder;
import io.servery.acme.store.StateDirectory;
import io.servery.core.reason.Reason;
import io.servery.core.tls.CertificateRequest;
import io.servery.core.tls.Identity;
import io.servery.core.tls.KeyPairs;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.shredzone.acme4j.Identifier;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Order;
import org.shredzone.acme4j.OrderBuilder;
import org.shredzone.acme4j.Problem;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.Status;
import org.shredzone.acme4j.connector.Resource;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.exception.AcmeServerException;

/// One order, from the account to a certificate that was judged and kept (RFC 8555, section 7.4).
///
///     account ─► order (an earlier one if it is still good) ─► names verified ─► finalized ─► downloaded ─► judged ─► kept
///
/// What failed on the way, a stop or a lost connection, leaves the order in the state directory for the next attempt. One that
/// the authority has given up or does not know is forgotten, and so is one about which it said nothing that can be read in
/// several attempts: another may get further.
///
/// *Owner*: the thread of ACME.
final class Attempt {
    private static final Set<Status> VERIFIED = Set.of(Status.READY, Status.PROCESSING, Status.VALID, Status.INVALID);
    private static final Set<Status> DECIDED = Set.of(Status.VALID, Status.INVALID);
    /// So many attempts may come to nothing with one order: with our own back-off that is a quarter of an hour.
    private static final int FAILURES_MAX = 4;

    private final AcmeSettings settings;
    private final StateDirectory state;
    private final ChallengeBoard board;
    private final Cancellation cancellation;
    private final Clock clock;
    private final Consumer<Reply> aside;

    // Long because it takes what one conversation needs, and lives as long as it.
    Attempt(AcmeSettings settings, StateDirectory state, ChallengeBoard board, Cancellation cancellation, Clock clock,
            Consumer<Reply> aside) {
        this.settings = settings;
        this.state = state;
        this.board = board;
        this.cancellation = cancellation;
        this.clock = clock;
        this.aside = aside;
    }

    /// An order at the authority, and the key that it is for.
    private record Placed(Order order, KeyPair key) {
    }

    Identity run(Session session, Authority authority)
            throws AcmeException, AttemptException, CancelledException, IOException {
        Login login = Accounts.login(session, settings, state, cancellation, aside);
        cancellation.check();
        Optional<String> profile = Profiles.choose(settings.acme().profile(), settings.names(),
                session.getMetadata().getProfiles());
        try {
            Optional<Placed> earlier = earlier(login, authority, profile);
            return obtain(earlier.isPresent() ? earlier.get() : place(login, profile));
        } catch (AttemptException failed) {
            if (failed.orderLost()) {
                afterwards(failed, state::discardOrder);
            } else if (failed.reason() == Reason.NETWORK_FAILURE) {
                afterwards(failed, this::failedAgain);
            }
            throw failed;
        } catch (AcmeServerException refused) {
            if (!Trouble.passes(refused)) {
                afterwards(refused, state::discardOrder);
            } else if (!Trouble.isLimit(refused)) {
                afterwards(refused, this::failedAgain);
            }
            throw refused;
        } catch (AcmeException | RuntimeException unreadable) {
            afterwards(unreadable, this::failedAgain);
            throw unreadable;
        }
    }

    /// What is done with an order that failed.
    private interface Keeping {
        void run() throws IOException;
    }

    /// The state directory may fail too; that is said by itself, and does not take the place of why the attempt failed.
    private void afterwards(Exception failed, Keeping keeping) {
        try {
            keeping.run();
        } catch (IOException notKept) {
            failed.addSuppressed(notKept);
            aside.accept(new Reply.NotKept(String.valueOf(notKept.getMessage())));
        }
    }

    /// The authority was there, and did not say what becomes of the order. A request that a cancellation ended says nothing.
    private void failedAgain() throws IOException {
        Optional<PendingOrder> kept = kept();
        if (kept.isEmpty() || cancellation.isCancelled()) {
            return;
        }
        PendingOrder failed = kept.get().failed();
        if (failed.failures() < FAILURES_MAX) {
            state.keepOrder(failed);
        } else {
            state.discardOrder();
        }
    }

    private Identity obtain(Placed placed) throws AcmeException, AttemptException, CancelledException, IOException {
        Order order = placed.order;
        if (order.getStatus() == Status.PENDING) {
            new Validation(settings, board, cancellation, clock).run(order);
        }
        Instant until = clock.instant().plus(settings.limits().issuance());
        Polling polling = new Polling(cancellation, clock);
        if (polling.await(order, VERIFIED, until, "the order") == Status.READY) {
            order.execute(request(placed.key));
        }
        if (polling.await(order, DECIDED, until, "the order") == Status.INVALID) {
            throw new AttemptException(Reason.CA_REJECTED, "the order: "
                    + order.getError().map(Problem::toString).orElse("found it invalid; expected a certificate"));
        }
        order.getCertificate().download();
        Identity obtained = Judge.accepted(settings, order.getCertificate().getCertificateChain(), placed.key,
                clock.instant());
        state.keepCandidate(obtained);
        state.discardOrder();
        return obtained;
    }

    /// An order that a stop has left, if it can still bring the certificate that is wanted now.
    private Optional<Placed> earlier(Login login, Authority authority, Optional<String> profile)
            throws AcmeException, IOException {
        Optional<PendingOrder> kept = kept();
        if (kept.isEmpty()) {
            return Optional.empty();
        }
        PendingOrder pending = kept.get();
        if (pending.profile().equals(profile)) {
            try {
                Order order = login.bindOrder(url(pending.location()));
                order.fetch();
                if (order.getStatus() != Status.INVALID
                        && order.getExpires().filter(clock.instant()::isAfter).isEmpty()) {
                    return Optional.of(new Placed(order, pending.key()));
                }
            } catch (AcmeException unknown) {
                boolean refused = unknown instanceof AcmeServerException problem && !Trouble.passes(problem);
                if (!refused && !authority.isGone(pending.location())) {
                    throw unknown;
                }
                // Another account's, or forgotten: a new one takes its place.
            }
        }
        state.discardOrder();
        return Optional.empty();
    }

    private Optional<PendingOrder> kept() throws IOException {
        Loaded<PendingOrder> kept = state.order();
        if (kept instanceof Loaded.Damaged<PendingOrder>(var keptAs, String why)) {
            aside.accept(new Reply.Damaged(keptAs, why));
        }
        return kept.whole();
    }

    private Placed place(Login login, Optional<String> profile) throws AcmeException, IOException {
        Optional<String> replaced = login.getSession().resourceUrlOptional(Resource.RENEWAL_INFO).isPresent()
                ? state.certificate().whole().flatMap(Consultation::identifier)
                : Optional.empty();
        Order order;
        try {
            order = builder(login, profile, replaced).create();
        } catch (AcmeServerException refused) {
            // RFC 9773, section 5: only one order may replace a certificate, and an earlier one of ours did, or another account
            // has it. Authorities name that differently, and a new certificate matters more than whom it replaces.
            if (replaced.isEmpty() || Trouble.passes(refused)) {
                throw refused;
            }
            order = builder(login, profile, Optional.empty()).create();
        }
        KeyPair key = KeyPairs.make(new SecureRandom());
        state.keepOrder(PendingOrder.placed(URI.create(order.getLocation().toString()), profile, key));
        return new Placed(order, key);
    }

    private OrderBuilder builder(Login login, Optional<String> profile, Optional<String> replaced) {
        OrderBuilder builder = login.newOrder();
        for (Name name : settings.names()) {
            builder.identifier(switch (name) {
                case Name.Dns(String text) -> Identifier.dns(text);
                // acme4j would write out the zeros, which RFC 8738, section 3 has left out.
                case Name.Ip ip -> new Identifier(Identifier.TYPE_IP, ip.text());
            });
        }
        profile.ifPresent(builder::profile);
        replaced.ifPresent(builder::replaces);
        return builder;
    }

    /// By our names, not by those of the order, which are the authority's words.
    private byte[] request(KeyPair key) {
        return CertificateRequest.of(settings.certificateNames(), key);
    }

    private static URL url(URI location) throws AcmeException {
        try {
            return location.toURL();
        } catch (MalformedURLException notOne) {
            throw new AcmeException("order: found " + location + "; expected a URL", notOne);
        }
    }
}
