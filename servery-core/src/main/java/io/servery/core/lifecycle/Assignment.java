package io.servery.core.lifecycle;

import io.servery.core.control.Shard;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Who reads which shard.
///
///               Adopt                    Release                  Released, or it is lost, or a second has passed
///     Unread ──────────► ReadBy ──────────────────► Moving ───────────────────────────────────────────────► Unread
///       │  ▲               │ │                        │
///       │  └─ it is dead ──┘ │ wanted no more         │ wanted no more
///       │                    ▼                        ▼
///       └──► closed ◄── Closing (its reader drains it): Released, or it is lost, or half a second has passed
///
/// *Invariant*: a shard has one entry, so never two readers. The reader of an entry `ReadBy` or `Moving` is the only one that
/// was told to read it and has neither confirmed its release, nor died, nor stood still: one that stands still may, in the
/// moment in which it comes round, accept what it finds before it reads the release that waits for it. That is harmless: the
/// kernel gives a connection to one of them.
///
/// @param releases how many orders to release were made: each has a number of its own, which its confirmation repeats
public record Assignment(SortedMap<Shard, Reading> table, long releases) {

    public Assignment {
        table = Collections.unmodifiableSortedMap(new TreeMap<>(table));
    }

    static Assignment empty() {
        return new Assignment(new TreeMap<>(), 0);
    }

    /// What becomes of one shard.
    public sealed interface Reading {
    }

    /// Its queue waits: there is nobody to read it, or not yet.
    public record Unread() implements Reading {
    }

    public record ReadBy(WorkerId reader) implements Reading {
    }

    /// Its reader was told to stop with the release of this number; the next is told when it has.
    public record Moving(WorkerId reader, long release, Moment until) implements Reading {
    }

    /// Its address goes: its reader accepts what waits, then it is closed.
    public record Closing(WorkerId reader, Moment until) implements Reading {
    }

    /// The earliest moment at which time alone moves a shard.
    Optional<Moment> deadline() {
        @Nullable
        Moment earliest = null;
        for (Reading reading : table.values()) {
            Moment until = switch (reading) {
                case Unread _,ReadBy _ -> null;
                case Moving moving -> moving.until();
                case Closing closing -> closing.until();
            };
            if (until != null) {
                earliest = earliest == null ? until : earliest.orEarlier(until);
            }
        }
        return Optional.ofNullable(earliest);
    }

    /// The reader that counts, if there is one.
    public Optional<WorkerId> reader(Shard shard) {
        Reading reading = table.get(shard);
        return switch (reading) {
            case null -> Optional.empty();
            case Unread _ -> Optional.empty();
            case ReadBy(WorkerId reader) -> Optional.of(reader);
            case Moving(WorkerId reader, _, _) -> Optional.of(reader);
            case Closing(WorkerId reader, _) -> Optional.of(reader);
        };
    }

}
