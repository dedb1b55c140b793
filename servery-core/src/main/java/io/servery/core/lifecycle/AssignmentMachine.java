package io.servery.core.lifecycle;

import io.servery.core.control.Order;
import io.servery.core.control.Report.Released;
import io.servery.core.control.Shard;
import io.servery.core.lifecycle.Assignment.Closing;
import io.servery.core.lifecycle.Assignment.Moving;
import io.servery.core.lifecycle.Assignment.ReadBy;
import io.servery.core.lifecycle.Assignment.Reading;
import io.servery.core.lifecycle.Assignment.Unread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Brings the table of shards towards what is wanted: after each step every shard is looked at once, whatever the step was.
/// So a death, a hang, a return, a replacement, a reload and a stop are not six ways to move a shard but one.
final class AssignmentMachine {
    /// A reader that does not confirm a release within this time counts as one that stands still.
    static final Duration RELEASE_MAX = Plan.Timing.SILENCE;
    /// So long an address that goes takes connections: less than the second after which it has to refuse them.
    static final Duration CLOSE_MAX = Duration.ofMillis(500);

    private final Wanted wanted;
    private final Turn turn;
    private final SortedMap<Shard, Reading> table;
    private final SortedMap<WorkerId, List<Shard>> adopted = new TreeMap<>();
    private final SortedMap<WorkerId, List<Shard>> released = new TreeMap<>();
    private final List<Shard> closed = new ArrayList<>();
    private final long releases;

    private AssignmentMachine(Assignment before, Wanted wanted, Turn turn) {
        this.wanted = wanted;
        this.turn = turn;
        this.table = new TreeMap<>(before.table());
        this.releases = before.releases() + 1;
    }

    /// What the table should become.
    ///
    /// @param read shards that should have a reader
    /// @param bound shards that should stay open, those included
    /// @param holders by slot: who may read
    /// @param standings of all workers that live
    record Wanted(Set<Shard> read, Set<Shard> bound, List<Optional<WorkerId>> holders,
            Map<WorkerId, Standing> standings) {

        boolean holds(WorkerId worker) {
            return holders.contains(Optional.of(worker));
        }

        /// Whose a shard is when all are well: neighbours go to different slots.
        Optional<WorkerId> home(Shard shard) {
            return holders.isEmpty()
                    ? Optional.empty()
                    : holders.get(Math.floorMod(shard.group() + shard.index(), holders.size()));
        }

        boolean hasHolder() {
            return holders.stream().anyMatch(Optional::isPresent);
        }
    }

    /// What may be expected of a worker that reads a shard; one that is not listed is dead.
    enum Standing {
        /// It obeys: it will confirm a release.
        ANSWERING,
        /// It stands still, or is on its way out: it may obey later or never.
        LOST
    }

    /// The table after a worker confirmed a release. What it does not release now it had confirmed before, or it never had.
    static Assignment confirmed(Assignment before, WorkerId worker, Released report) {
        SortedMap<Shard, Reading> table = new TreeMap<>(before.table());
        for (Shard shard : report.shards()) {
            boolean over = switch (table.get(shard)) {
                case null -> false;
                case Unread _ -> false;
                case ReadBy(WorkerId reader) -> reader.equals(worker) && report.number() == 0;
                case Moving(WorkerId reader, long release, _) ->
                    reader.equals(worker) && (report.number() == release || report.number() == 0);
                case Closing(WorkerId reader, _) -> reader.equals(worker);
            };
            if (over) {
                table.put(shard, new Unread());
            }
        }
        return new Assignment(table, before.releases());
    }

    /// The table after everything that can be done now is done.
    static Assignment settled(Assignment before, Wanted wanted, Turn turn) {
        return new AssignmentMachine(before, wanted, turn).settled(before);
    }

    private Assignment settled(Assignment before) {
        wanted.bound().forEach(shard -> table.putIfAbsent(shard, new Unread()));
        new TreeMap<>(table).forEach((shard, reading) -> {
            if (!wanted.bound().contains(shard)) {
                unwanted(shard, reading);
            } else {
                table.put(shard, kept(shard, reopened(reading)));
            }
        });
        adoptUnread();
        adopted.forEach((worker, shards) -> turn.send(worker, new Order.Adopt(shards)));
        released.forEach((worker, shards) -> turn.send(worker, new Order.Release(releases, shards)));
        if (!closed.isEmpty()) {
            turn.add(new Effect.Close(closed));
        }
        return new Assignment(table, released.isEmpty() ? before.releases() : releases);
    }

    // A shard that stays

    private static Reading reopened(Reading reading) {
        return reading instanceof Closing(WorkerId reader, _) ? new ReadBy(reader) : reading;
    }

    private Reading kept(Shard shard, Reading reading) {
        return switch (reading) {
            case Unread unread -> unread;
            case ReadBy(WorkerId reader) when isDead(reader) -> new Unread();
            case ReadBy readBy when !wanted.hasHolder() || !wanted.read().contains(shard)
                    || isAtHome(shard, readBy.reader()) ->
                readBy;
            case ReadBy(WorkerId reader) -> taken(shard, reader);
            case Moving(WorkerId reader, _, Moment until) when !isAnswering(reader) || turn.reached(until) ->
                new Unread();
            case Moving moving -> moving;
            case Closing closing -> throw new IllegalStateException("shard: found " + closing + "; expected it open");
        };
    }

    /// At its home, or at another holder as long as there is none at home.
    private boolean isAtHome(Shard shard, WorkerId reader) {
        return wanted.home(shard).map(reader::equals).orElseGet(() -> wanted.holds(reader));
    }

    private Reading taken(Shard shard, WorkerId reader) {
        released.computeIfAbsent(reader, _ -> new ArrayList<>()).add(shard);
        return isAnswering(reader) ? new Moving(reader, releases, turn.now().plus(RELEASE_MAX)) : new Unread();
    }

    private void adoptUnread() {
        if (!wanted.hasHolder()) {
            return;
        }
        Map<WorkerId, Integer> loads = new HashMap<>();
        table.values().forEach(reading -> {
            if (reading instanceof ReadBy(WorkerId reader)) {
                loads.merge(reader, 1, Integer::sum);
            }
        });
        for (Shard shard : wanted.read()) {
            if (table.get(shard) instanceof Unread) {
                WorkerId reader = wanted.home(shard).orElseGet(() -> leastLoaded(loads));
                loads.merge(reader, 1, Integer::sum);
                adopted.computeIfAbsent(reader, _ -> new ArrayList<>()).add(shard);
                table.put(shard, new ReadBy(reader));
            }
        }
        adopted.values().forEach(shards -> shards.sort(Comparator.naturalOrder()));
    }

    private WorkerId leastLoaded(Map<WorkerId, Integer> loads) {
        return wanted.holders().stream().flatMap(Optional::stream)
                .min(Comparator.<WorkerId>comparingInt(worker -> loads.getOrDefault(worker, 0))
                        .thenComparing(Comparator.naturalOrder()))
                .orElseThrow();
    }

    // A shard that goes

    private void unwanted(Shard shard, Reading reading) {
        switch (reading) {
            case Unread _ -> close(shard);
            case ReadBy(WorkerId reader) -> drain(shard, reader, turn.now().plus(CLOSE_MAX));
            case Moving(WorkerId reader, _, Moment until) ->
                drain(shard, reader, until.orEarlier(turn.now().plus(CLOSE_MAX)));
            case Closing(WorkerId reader, Moment until) -> drain(shard, reader, until);
        }
    }

    private void drain(Shard shard, WorkerId reader, Moment until) {
        if (isAnswering(reader) && !turn.reached(until)) {
            table.put(shard, new Closing(reader, until));
            return;
        }
        if (!isDead(reader)) {
            released.computeIfAbsent(reader, _ -> new ArrayList<>()).add(shard);
        }
        close(shard);
    }

    private void close(Shard shard) {
        closed.add(shard);
        table.remove(shard);
    }

    private boolean isDead(WorkerId worker) {
        return !wanted.standings().containsKey(worker);
    }

    private boolean isAnswering(WorkerId worker) {
        return wanted.standings().get(worker) == Standing.ANSWERING;
    }
}
