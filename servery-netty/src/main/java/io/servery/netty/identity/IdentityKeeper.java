package io.servery.netty.identity;

import io.servery.core.config.Endpoint;
import io.servery.core.config.Logging.Level;
import io.servery.core.config.ServeryConfig;
import io.servery.core.config.Tls;
import io.servery.core.control.Order;
import io.servery.core.fault.Fault;
import io.servery.core.fault.FaultText;
import io.servery.core.lifecycle.Cause;
import io.servery.core.operator.FleetStatus;
import io.servery.core.operator.OperatorReply;
import io.servery.core.reason.Reason;
import io.servery.core.tls.Credentials;
import io.servery.core.tls.Identity;
import io.servery.core.tls.SelfSigned;
import io.servery.core.tls.TicketKeys;
import io.servery.netty.observe.Event;
import io.servery.netty.observe.Events;
import io.servery.supervisor.loop.Identities;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Reads the identities of a configuration, watches their files while it serves, and rotates the keys of session tickets.
///
/// Files are looked at every two seconds by what the file system says of them, links followed: that sees a file written in
/// its place, one moved over it, and a directory of secrets whose link is turned, on every file system. What changed is read,
/// judged as at a start, and handed over if it says something else. An identity that cannot be shown is said once, stays as it
/// was and keeps no other from changing.
///
/// *Owner*: `read` is called by the thread of a reload and that of a configuration that is brought back, `serves` by the loop; the
/// watching has a thread of its own. *Invariant*: an order carries what was found sound at its making.
public final class IdentityKeeper implements Identities, AutoCloseable {
    static final Duration LOOK_EVERY = Duration.ofSeconds(2);
    /// A self-signed identity is made anew so long before its end.
    private static final Duration SELF_SIGNED_MARGIN = Duration.ofDays(30);
    private static final String THREAD = "servery-identities";

    private final Events events;
    private final InstantSource clock;
    private final Receiver receiver;
    private final IssuedIdentities issued;
    private final Semaphore nudges = new Semaphore(0);
    private final SecureRandom random = new SecureRandom();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicReference<TicketKeys> ticketKeys;
    private final AtomicReference<@Nullable Serving> serving = new AtomicReference<>();
    private volatile @Nullable Read lastRead;
    private volatile @Nullable Made selfSigned;
    /// What every worker is known to show; null where nothing is shown.
    private volatile @Nullable Credentials visible;
    private @Nullable Thread watcher;

    /// What a configuration was read to.
    private record Read(ServeryConfig config, Credentials credentials, Order.Identify order) {
    }

    /// What was handed over last, and the same as values: neither is made of the other at each look.
    ///
    /// @param offer the number that its offer had
    private record Sent(Order.Identify order, Credentials credentials, int offer) {
    }

    /// The configuration that serves.
    ///
    /// @param tls how it speaks TLS
    /// @param sent what its workers were given last
    /// @param credentials what they are to show: another where one of them could not show that
    /// @param files what the file system said of its files when they were read; null before
    /// @param complaint what was found wrong with them, empty where nothing was
    /// @param said whether that was said
    private record Serving(ServeryConfig config, Tls.On tls, Sent sent, Credentials credentials,
            @Nullable FileStates files, String complaint, boolean said) {
        Serving looked(FileStates now) {
            return new Serving(config, tls, sent, credentials, now, complaint, said);
        }

        /// The next look reads the files again, whatever the file system says of them.
        Serving unread() {
            return new Serving(config, tls, sent, credentials, null, complaint, said);
        }

        Serving showing(Sent order, Credentials shown) {
            return new Serving(config, tls, order, shown, files, complaint, said);
        }

        Serving complaining(String of, boolean told) {
            return new Serving(config, tls, sent, credentials, files, of, told);
        }

        /// Whether the files are as they were, and sound then. One that was not may become so by time, or by a permission.
        boolean isSettled(FileStates now) {
            return now.equals(files) && complaint.isEmpty();
        }
    }

    /// A self-signed identity and the hosts it was made for.
    private record Made(List<String> hosts, Identity identity) {
    }

    /// The way to the workers.
    @FunctionalInterface
    public interface Receiver {
        /// Hands an order to every worker of the configuration, while that serves. On the thread of the watching.
        ///
        /// @return completes when every worker shows it; exceptionally where none is going to
        CompletionStage<Void> identify(ServeryConfig config, Order.Identify order);
    }

    /// A keeper that watches nothing yet.
    ///
    /// @param issued what authorities issue
    public IdentityKeeper(Events events, InstantSource clock, Receiver receiver, IssuedIdentities issued) {
        this.events = events;
        this.clock = clock;
        this.receiver = receiver;
        this.issued = issued;
        this.ticketKeys = new AtomicReference<>(TicketKeys.first(clock.instant(), random));
    }

    @Override
    public Reading read(ServeryConfig config) {
        if (!(config.tls() instanceof Tls.On tls)) {
            return new Given(Optional.empty());
        }
        return switch (credentials(config, tls)) {
            case CredentialsReading.Refused(List<Fault> faults) ->
                new Refused(new FaultText(false).of(faults).strip());
            case CredentialsReading.Accepted(Credentials credentials) -> {
                try {
                    Order.Identify order = order(credentials);
                    lastRead = new Read(config, credentials, order);
                    yield new Given(Optional.of(order));
                } catch (IllegalArgumentException tooMuch) {
                    yield new Refused("tls: " + tooMuch.getMessage());
                }
            }
        };
    }

    private CredentialsReading credentials(ServeryConfig config, Tls.On tls) {
        if (!(tls.source() instanceof Tls.Acme acme)) {
            return CredentialFiles.read(tls, () -> selfSigned(config), clock.instant());
        }
        return switch (issued.read(config, acme, trusted())) {
            case IssuedIdentities.Given(Identity identity) ->
                CredentialFiles.read(tls, () -> identity, clock.instant());
            case IssuedIdentities.Refused(List<Fault> faults) -> new CredentialsReading.Refused(faults);
        };
    }

    /// What somebody else than this service vouches for, of what is shown now.
    private Optional<Identity> trusted() {
        Serving now = serving.get();
        Credentials shown = now == null || now.tls().source() instanceof Tls.SelfSigned ? null : visible;
        return Optional.ofNullable(shown).map(Credentials::byDefault).filter(this::isValid);
    }

    private boolean isValid(Identity identity) {
        return clock.instant().isBefore(identity.notAfter()) && !issued.isStandIn(identity);
    }

    private Order.Identify order(Credentials credentials) {
        return IdentityOrders.of(numbers.incrementAndGet(), credentials, ticketKeys.get());
    }

    /// Made once, and again when it is for other hosts or ends soon.
    private Identity selfSigned(ServeryConfig config) {
        List<String> hosts = config.listener().endpoint() instanceof Endpoint.Tcp tcp ? tcp.hosts() : List.of();
        Made made = selfSigned;
        Instant now = clock.instant();
        if (made == null || !made.hosts().equals(hosts)
                || made.identity().notAfter().isBefore(now.plus(SELF_SIGNED_MARGIN))) {
            made = new Made(hosts, SelfSigned.make(hosts, now, SelfSigned.LIFETIME_MAX, random));
            selfSigned = made;
        }
        return made.identity();
    }

    /// This configuration serves from now on: its files are watched.
    ///
    /// @param order what its workers show
    public void serves(ServeryConfig config, Optional<Order.Identify> order) {
        if (!(config.tls() instanceof Tls.On tls) || order.isEmpty()) {
            serving.set(null);
            visible = null;
            issued.serves(config, Optional.empty());
            return;
        }
        Read read = lastRead;
        Credentials shown = read != null && read.order().equals(order.get())
                ? read.credentials()
                : IdentityOrders.credentials(order.get()); // of a configuration that is brought back
        serving.set(new Serving(config, tls, new Sent(order.get(), shown, issued.offer()), shown, null, "", false));
        Credentials until = visible;
        visible = shown;
        activated(shown, until);
        issued.serves(config, tls.source() instanceof Tls.Acme acme ? Optional.of(acme) : Optional.empty());
        if (watcher == null) {
            watcher = Thread.ofPlatform().name(THREAD).daemon().start(this::watch);
        }
    }

    /// Whatever one look may throw, the next one is made: said once as long as it is the same.
    private void watch() {
        String last = "";
        try {
            while (true) {
                var _ = nudges.tryAcquire(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
                nudges.drainPermits();
                last = looked(last);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /// What it threw.
    private String looked(String last) {
        try {
            look();
            return "";
        } catch (RuntimeException | Error bug) {
            if (!bug.toString().equals(last)) {
                events.bug(bug);
            }
            return bug.toString();
        }
    }

    /// Something else is to be shown: it is looked at now. Any thread.
    public void nudge() {
        nudges.release();
    }

    /// Hands over what has changed.
    void look() {
        Instant now = clock.instant();
        TicketKeys keys = ticketKeys.updateAndGet(before -> before.at(now, random));
        Serving before = serving.get();
        if (before == null) {
            return;
        }
        Credentials known = before.credentials();
        if (before.tls().source() instanceof Tls.Acme acme) {
            sendWhereOther(before, issued.wanted(acme).map(identity -> new Credentials(identity, List.of(),
                    known.clientAuthorities())).orElse(known), keys);
            return;
        }
        FileStates files = FileStates.of(CredentialFiles.watched(before.tls()), now);
        if (before.isSettled(files) && !isSelfSignedDue(before, now)) {
            sendWhereOther(before, known, keys);
            return;
        }
        CredentialFiles.Parts parts = CredentialFiles.parts(before.tls(), () -> selfSigned(before.config()), now);
        Serving looked = judged(before, files, parts.faults());
        if (!serving.compareAndSet(before, looked)) {
            return; // another configuration serves, or what was sent is refused
        }
        sendWhereOther(looked, parts.orElse(known), keys);
    }

    /// Certificate and key are seldom replaced in one moment: what is wrong is said when it still is at the next look, once.
    private Serving judged(Serving before, FileStates files, List<Fault> faults) {
        String complaint = faults.isEmpty() ? "" : new FaultText(false).of(faults).strip();
        if (complaint.isEmpty() || before.complaint().isEmpty()) {
            return before.looked(files).complaining(complaint, false);
        }
        if (!before.said()) {
            if (!complaint.equals(before.complaint()) && !files.equals(before.files())) {
                return before.looked(files).complaining(complaint, false); // another change, seen for the first time
            }
            rejected(complaint);
            return before.looked(files).complaining(complaint, true);
        }
        // Words of one and the same mistake may change with the time.
        boolean another = !complaint.equals(before.complaint()) && !files.equals(before.files());
        return before.looked(files).complaining(complaint, !another);
    }

    private static boolean isSelfSignedDue(Serving of, Instant now) {
        return of.tls().source() instanceof Tls.SelfSigned
                && of.credentials().byDefault().notAfter().isBefore(now.plus(SELF_SIGNED_MARGIN));
    }

    private void sendWhereOther(Serving before, Credentials found, TicketKeys keys) {
        Sent sent = before.sent();
        int offer = issued.offer();
        if (found.equals(sent.credentials()) && sent.order().ticketKeys().equals(IdentityOrders.texts(keys))) {
            if (before.tls().source() instanceof Tls.Acme && found.equals(visible)) {
                // Nobody else says so of a candidate that was shown before it was one.
                issued.shown(found.byDefault());
                return;
            }
            if (offer == sent.offer()) {
                return;
            }
        }
        Order.Identify order;
        try {
            order = order(found);
        } catch (IllegalArgumentException tooMuch) {
            rejected("tls: " + tooMuch.getMessage());
            return;
        }
        if (serving.compareAndSet(before, before.showing(new Sent(order, found, offer), found))) {
            var _ = receiver.identify(before.config(), order).whenComplete((_, failed) -> {
                if (failed == null) {
                    Credentials until = visible;
                    visible = found;
                    activated(found, until);
                    issued.shown(found.byDefault());
                } else {
                    notShown(order, found, before);
                }
            });
        }
    }

    /// It went to nobody, or not to all: where nothing else took its place, the next look hands it over again. What was refused
    /// is what it was before already.
    private void notShown(Order.Identify order, Credentials found, Serving before) {
        changeWhileSent(order.number(), now -> found.equals(now.credentials())
                ? now.showing(before.sent(), before.credentials()).unread()
                : now);
    }

    /// What becomes of an order may be heard while a look changes what is known of the files: neither is lost. Where another was
    /// sent since, or another configuration serves, it says nothing any more.
    private void changeWhileSent(long number, UnaryOperator<Serving> change) {
        serving.updateAndGet(now -> now != null && now.sent().order().number() == number ? change.apply(now) : now);
    }

    private void activated(Credentials credentials, @Nullable Credentials before) {
        List<Identity> known = before == null ? List.of() : before.identities().toList();
        credentials.identities().filter(identity -> !known.contains(identity) && !issued.isStandIn(identity))
                .forEach(identity -> events.emit(Event.of(Level.INFO, "certificate.activated")
                        .with("names", identity.names().toString()).with("not_after", identity.notAfter().toString())));
    }

    private void rejected(String why) {
        events.emit(Event.of(Level.ERROR, "certificate.rejected").with("message",
                why + "; the certificate before is still shown"));
    }

    @Override
    public void refused(long number, Optional<Order.Identify> again, String why) {
        Serving now = serving.get();
        boolean told = false;
        if (now != null && now.sent().order().number() == number) {
            Credentials refused = now.credentials();
            Credentials shown = visible;
            Credentials before = again.map(IdentityOrders::credentials)
                    .orElseGet(() -> shown == null ? refused : shown);
            // The next look finds that what was sent is not what is to be shown.
            changeWhileSent(number, sent -> sent.showing(sent.sent(), before));
            if (refused.equals(shown)) {
                visible = before;
            }
            told = issued.refused(refused.byDefault(), why);
        }
        if (!told) {
            rejected(why);
        }
    }

    @Override
    public CompletionStage<OperatorReply> renew(boolean force) {
        return issued.renew(force);
    }

    @Override
    public List<FleetStatus.ShownCertificate> shown() {
        Credentials shown = visible;
        return shown == null
                ? List.of()
                : shown.identities().map(identity -> new FleetStatus.ShownCertificate(
                        List.copyOf(identity.names().texts()), identity.notAfter(), identity.issuer(),
                        issued.nextAttempt())).toList();
    }

    /// When the first of the identities that are shown ends, in seconds since the Unix epoch; empty where none is that a client
    /// trusts.
    public OptionalLong firstExpirySeconds() {
        Credentials shown = visible;
        return shown == null || issued.isStandIn(shown.byDefault())
                ? OptionalLong.empty()
                : OptionalLong.of(shown.firstExpiry().getEpochSecond());
    }

    @Override
    public List<Cause> amiss() {
        Credentials shown = visible;
        if (shown == null || shown.identities().anyMatch(this::isValid)) {
            return List.of();
        }
        return issued.isStandIn(shown.byDefault())
                ? issued.missing()
                : List.of(new Cause(Reason.CERTIFICATE_EXPIRED,
                        "every certificate that is shown has expired, the last at " + shown.identities()
                                .map(Identity::notAfter).max(Instant::compareTo).orElseThrow()));
    }

    @Override
    public void close() {
        serving.set(null);
        visible = null;
        if (watcher != null) {
            watcher.interrupt();
        }
    }
}
