package io.servery.supervisor.loop;

import io.servery.core.config.ConfigurationChange;
import io.servery.core.config.Endpoint;
import io.servery.core.config.Outcome;
import io.servery.core.config.Listener;
import io.servery.core.config.ServeryConfig;
import io.servery.core.control.ListenerRole;
import io.servery.core.control.Order;
import io.servery.core.fault.ExitCode;
import io.servery.core.fault.Fault;
import io.servery.core.fault.FaultText;
import io.servery.core.lifecycle.Cause;
import io.servery.core.lifecycle.Event;
import io.servery.core.lifecycle.Moment;
import io.servery.core.lifecycle.Plan;
import io.servery.core.lifecycle.Verdict;
import io.servery.core.reason.Reason;
import io.servery.supervisor.listen.ListenAddress;
import io.servery.supervisor.listen.BindResult;
import io.servery.supervisor.listen.ListenerTable;
import io.servery.supervisor.listen.WantedAddress;
import io.servery.supervisor.loop.Revisions.Revision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Changes of configuration on their way: read, judged and resolved by a thread of their own, then compared and bound here.
///
/// *Owner*: the loop. *Invariant*: a change that has no verdict yet is answered by one event as soon as the reading returns;
/// nothing is made for one that has; what was made for one that comes to nothing is given back.
final class Changes {
    private static final String LOADING = "servery-reload";
    private static final String REFRESHING = "servery-restore";
    /// So long a configuration that is brought back waits for what it is to show: it may be what ends a crash loop.
    private static final Duration FRESH_MAX = Duration.ofSeconds(5);

    /// What the parent has at hand for a change.
    ///
    /// @param opened told of a group whose address is new, and of the configuration that wants it
    record Means(Source source, Identities identities, Function<Endpoint, ListenAddress.Resolution> resolver,
            ListenerTable table, Companion companion, Revisions revisions, Launches launches,
            ObjIntConsumer<ServeryConfig> opened,
            int processors) {
    }

    /// A change without a verdict.
    private static final class Pending {
        private Companion.@Nullable Made offer;
        private List<String> changed = List.of();
        private int revision;
    }

    /// A configuration that is brought back, while what it is to show is read.
    private record Restoring(int reload, Revision then, Moment until) {
    }

    /// What was read.
    private sealed interface Loaded {
        record Sound(Outcome.Accepted accepted, List<WantedAddress> addresses, Optional<Order.Identify> identities)
                implements
                    Loaded {
        }

        record Unsound(String text) implements Loaded {
        }
    }

    private final Means means;
    private final Mailbox mailbox;
    private final Supplier<Moment> clock;
    private final Consumer<Event> events;
    private final Map<Integer, Pending> pending = new HashMap<>();
    private int serving;
    /// A thread reads a change; at most one, however long it hangs.
    private boolean loading;
    /// A thread reads what a configuration that is brought back is to show. It keeps no change from being read: the one that mends
    /// what hangs here may read something else.
    private boolean refreshing;
    private @Nullable Restoring restoring;

    /// @param events where the answers go
    Changes(Means means, Mailbox mailbox, Supplier<Moment> clock, Consumer<Event> events) {
        this.means = means;
        this.mailbox = mailbox;
        this.clock = clock;
        this.events = events;
    }

    /// Makes the first configuration one that has a plan; what it needs is bound and made.
    ///
    /// @throws ConfigurationRefusal where it cannot be
    Plan first(Outcome.Accepted accepted) throws ConfigurationRefusal {
        List<WantedAddress> addresses = switch (resolved(accepted)) {
            case ListenAddress.Resolved(List<ListenAddress> all) -> wanted(accepted.config().listener(), all);
            case ListenAddress.Unresolved(BindResult.Refused(String message, ExitCode code)) ->
                throw new ConfigurationRefusal(message, code);
        };
        Optional<Order.Identify> identities = switch (means.identities().read(accepted.config())) {
            case Identities.Given(Optional<Order.Identify> order) -> order;
            case Identities.Refused(String message) ->
                throw new ConfigurationRefusal(message, ExitCode.CONFIGURATION);
        };
        Pending start = new Pending();
        Plan plan = bound(means.revisions().add(accepted.config(), accepted.effective(), addresses, identities), start);
        pending.put(0, start);
        serving = plan.revision();
        return plan;
    }

    /// As another user from now on, if the configuration says so: what is shown is what that user can read. Found out now, not
    /// at the first renewal.
    void hardened(Outcome.Accepted accepted) throws ConfigurationRefusal {
        if (accepted.config().runtime().user().isEmpty()) {
            return;
        }
        switch (means.identities().read(accepted.config())) {
            case Identities.Given(Optional<Order.Identify> order) ->
                order.ifPresent(identities -> means.revisions().identify(serving, identities));
            case Identities.Refused(String message) ->
                throw new ConfigurationRefusal(message, ExitCode.CONFIGURATION);
        }
    }

    /// The first configuration holds before it serves: the admin listener tells how the start goes.
    void opened() {
        Pending start = pending.get(0);
        if (start != null && start.offer != null) {
            start.offer.take(means.revisions().of(serving).identities());
            start.offer = null;
        }
    }

    /// The revision that serves, or that will first.
    int serving() {
        return serving;
    }

    /// Whether something here still needs a revision, beside the fleet.
    boolean needs(int revision) {
        return revision == serving || pending.values().stream().anyMatch(one -> one.revision == revision);
    }

    void scheduled(int reload) {
        pending.putIfAbsent(reload, new Pending());
    }

    /// Begins to read; the answer comes as an event.
    void load(int reload) {
        if (loading) {
            refuse(reload, "the configuration before is still being read: does its file system hang?");
            return;
        }
        try {
            Thread.ofPlatform().name(LOADING).daemon().start(() -> {
                Loaded loaded = read();
                mailbox.put(() -> {
                    loading = false;
                    answer(reload, loaded);
                });
            });
            loading = true;
        } catch (OutOfMemoryError noThread) { // pthread_create(3), EAGAIN
            refuse(reload, "the configuration could not be read: " + noThread.getMessage());
        }
    }

    private Loaded read() {
        try {
            return switch (means.source().read()) {
                case Outcome.Refused(List<Fault> faults) ->
                    new Loaded.Unsound(new FaultText(false).of(faults).strip());
                case Outcome.Accepted accepted ->
                    switch (resolved(accepted)) {
                        case ListenAddress.Resolved(List<ListenAddress> all) ->
                            identified(accepted, wanted(accepted.config().listener(), all));
                        case ListenAddress.Unresolved(BindResult.Refused(String message, _)) ->
                            new Loaded.Unsound(message);
                    };
            };
        } catch (RuntimeException | Error bug) { // an error too: a jar that was replaced has other classes
            return new Loaded.Unsound("this is a bug in servery, or its jar was replaced: " + bug);
        }
    }

    private Loaded identified(Outcome.Accepted accepted, List<WantedAddress> addresses) {
        return switch (means.identities().read(accepted.config())) {
            case Identities.Given(Optional<Order.Identify> order) -> new Loaded.Sound(accepted, addresses, order);
            case Identities.Refused(String message) -> new Loaded.Unsound(message);
        };
    }

    private ListenAddress.Resolution resolved(Outcome.Accepted accepted) {
        return means.resolver().apply(accepted.config().listener().endpoint());
    }

    /// The addresses of the service, and each of them again with the port to redirect from.
    private static List<WantedAddress> wanted(Listener listener, List<ListenAddress> service) {
        List<WantedAddress> wanted = new ArrayList<>(WantedAddress.all(ListenerRole.SERVICE.key(), service));
        listener.redirect().ifPresent(redirect -> service.forEach(address -> {
            if (address instanceof ListenAddress.Tcp tcp) {
                wanted.add(new WantedAddress(ListenerRole.REDIRECT.key(), tcp.withPort(redirect.port())));
            }
        }));
        return wanted;
    }

    private void answer(int reload, Loaded loaded) {
        if (!pending.containsKey(reload)) {
            return; // it came too late: the verdict is out
        }
        switch (loaded) {
            case Loaded.Unsound(String text) -> refuse(reload, text);
            case Loaded.Sound(Outcome.Accepted accepted, List<WantedAddress> addresses, Optional<Order.Identify> identities) -> {
                Revision before = means.revisions().of(serving);
                ConfigurationChange change = ConfigurationChange.between(before.effective(), accepted.effective());
                if (change instanceof ConfigurationChange.Restart restart) {
                    refuse(reload, new FaultText(false).of(restart.faults()).strip());
                } else {
                    accept(reload, means.revisions().add(accepted.config(), accepted.effective(), addresses,
                            identities), change);
                }
            }
        }
    }

    /// Brings back a configuration that was good. What it shows is read anew, as at a reload: certificates were exchanged
    /// meanwhile. What cannot be had, or not soon, is shown as it was then: whoever watches it says so.
    void restore(int reload, Plan plan) {
        Revision then = means.revisions().of(plan.revision());
        pending.computeIfAbsent(reload, _ -> new Pending()).revision = then.number();
        Restoring next = new Restoring(reload, then, clock.get().plus(FRESH_MAX));
        if (loading || refreshing || then.identities().isEmpty()) {
            restore(next, then.identities());
            return;
        }
        restoring = next;
        try {
            Thread.ofPlatform().name(REFRESHING).daemon().start(() -> {
                Optional<Order.Identify> fresh = fresh(then);
                mailbox.put(() -> {
                    refreshing = false;
                    if (next.equals(restoring)) {
                        restore(next, fresh);
                    }
                });
            });
            refreshing = true;
        } catch (OutOfMemoryError noThread) { // pthread_create(3), EAGAIN
            restore(next, then.identities());
        }
    }

    private Optional<Order.Identify> fresh(Revision then) {
        try {
            return switch (means.identities().read(then.config())) {
                case Identities.Given(Optional<Order.Identify> order) -> order;
                case Identities.Refused _ -> then.identities();
            };
        } catch (RuntimeException | Error bug) { // as in reading
            return then.identities();
        }
    }

    private void restore(Restoring of, Optional<Order.Identify> shown) {
        restoring = null;
        if (!pending.containsKey(of.reload())) {
            return; // it came too late: the verdict is out
        }
        Revision then = of.then();
        Revision revision = shown.equals(then.identities())
                ? then
                : means.revisions().add(then.config(), then.effective(), then.addresses(), shown);
        accept(of.reload(), revision, ConfigurationChange.between(means.revisions().of(serving).effective(),
                revision.effective()));
    }

    /// When time alone does something here.
    Optional<Moment> deadline() {
        return restoring == null ? Optional.empty() : Optional.of(restoring.until());
    }

    /// What is not read by now is not waited for.
    void passed(Moment now) {
        Restoring late = restoring;
        if (late != null && late.until().isReached(now)) {
            restore(late, late.then().identities());
        }
    }

    private void accept(int reload, Revision revision, ConfigurationChange change) {
        Pending of = pending.computeIfAbsent(reload, _ -> new Pending());
        of.revision = revision.number();
        try {
            Set<Integer> before = Set.copyOf(means.table().groups().keySet());
            Plan plan = bound(revision, of);
            means.table().groups().keySet().stream().filter(group -> !before.contains(group))
                    .forEach(group -> means.opened().accept(revision.config(), group));
            of.changed = keys(change);
            events.accept(new Event.ConfigurationAccepted(clock.get(), reload, plan,
                    change instanceof ConfigurationChange.Hot && believesTheSameClients(revision)
                            ? Event.Change.HOT
                            : Event.Change.GENERATION));
        } catch (ConfigurationRefusal refusal) {
            refuse(reload, refusal.message());
        }
    }

    /// Whose word is taken for that of clients does not change in the life of a worker.
    private boolean believesTheSameClients(Revision revision) {
        return means.revisions().of(serving).identities().map(Order.Identify::clientAuthorities)
                .equals(revision.identities().map(Order.Identify::clientAuthorities));
    }

    private Plan bound(Revision revision, Pending of) throws ConfigurationRefusal {
        Optional<String> fault = Plans.fault(revision, means.processors());
        if (fault.isPresent()) {
            throw new ConfigurationRefusal(fault.get(), ExitCode.CONFIGURATION);
        }
        means.launches().check(revision.config());
        Companion.Made made = switch (means.companion().offer(revision.config())) {
            case Companion.Refused(String message, ExitCode code) -> throw new ConfigurationRefusal(message, code);
            case Companion.Made one -> one;
        };
        int shards = Plans.shardsPerAddress(revision.config().runtime(), means.processors());
        return switch (means.table().bind(revision.addresses(), shards,
                revision.config().listener().backlog())) {
            case BindResult.Refused(String message, ExitCode code) -> {
                made.decline();
                throw new ConfigurationRefusal(message, code);
            }
            case BindResult.Bound bound -> {
                of.offer = made;
                yield Plans.of(revision, bound.shards(), means.processors());
            }
        };
    }

    private void refuse(int reload, String text) {
        events.accept(new Event.ConfigurationRefused(clock.get(), reload, new Cause(Reason.INVALID_CONFIG, text)));
    }

    /// What a verdict means for what was made.
    Conclusion concluded(int reload, Verdict verdict) {
        Pending of = pending.remove(reload);
        if (of == null) {
            of = new Pending();
        }
        switch (verdict) {
            case Verdict.Pushed(int revision) -> serves(revision, of);
            case Verdict.Serving(_, int revision) -> serves(revision, of);
            case Verdict.RolledBack(_, int revision) -> serves(revision, of);
            case Verdict.Kept _,Verdict.Superseded _ -> decline(of);
        }
        return new Conclusion(reload, verdict, of.changed);
    }

    private void serves(int revision, Pending of) {
        serving = revision;
        if (of.offer != null) {
            of.offer.take(means.revisions().of(revision).identities());
        }
    }

    private static void decline(Pending of) {
        if (of.offer != null) {
            of.offer.decline();
        }
    }

    private static List<String> keys(ConfigurationChange change) {
        return switch (change) {
            case ConfigurationChange.None _ -> List.of();
            case ConfigurationChange.Hot hot -> hot.keys();
            case ConfigurationChange.Generation(List<String> keys) -> keys;
            case ConfigurationChange.Restart(List<String> keys, _) -> keys;
        };
    }
}
