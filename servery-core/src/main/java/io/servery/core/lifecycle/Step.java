package io.servery.core.lifecycle;

import java.util.List;
import java.util.stream.Stream;

/// What an event leads to.
///
/// @param effects to be carried out in this order
public record Step(Fleet next, List<Effect> effects) {
    public Step {
        effects = List.copyOf(effects);
    }

    /// Both, one after the other.
    Step then(Step later) {
        return new Step(later.next, Stream.concat(effects.stream(), later.effects.stream()).toList());
    }
}
