package io.servery.core.control;

import java.util.Comparator;
import java.util.List;

/// One listening socket among those that share an address.
///
/// @param group the address, numbered by the parent; a number is never used for another address
/// @param index its place in the group, which only grows
public record Shard(int group, int index) implements Comparable<Shard> {
    private static final Comparator<Shard> ORDER = Comparator.comparingInt(Shard::group)
            .thenComparingInt(Shard::index);

    public Shard {
        Bounds.require("group", group, 0, Integer.MAX_VALUE);
        Bounds.require("index", index, 0, Integer.MAX_VALUE);
    }

    @Override
    public int compareTo(Shard other) {
        return ORDER.compare(this, other);
    }

    /// An immutable copy of a list that has at least one shard, ascending, none twice.
    static List<Shard> ascending(List<Shard> shards) {
        List<Shard> copy = List.copyOf(shards);
        Bounds.require("shards", copy.size(), 1, Bounds.SHARDS_MAX);
        for (int i = 1; i < copy.size(); i++) {
            if (copy.get(i - 1).compareTo(copy.get(i)) >= 0) {
                throw new IllegalArgumentException("control: shards: found " + copy.get(i - 1) + " before "
                        + copy.get(i) + "; expected them ascending");
            }
        }
        return copy;
    }
}
