package io.servery.core.lifecycle;

import java.util.List;

/// What an event leads to.
///
/// @param effects to be carried out in this order
public record Step(Fleet next, List<Effect> effects) {
    public Step {
        effects = List.copyOf(effects);
    }
}
