package io.servery.acme.renewal;

import java.util.List;

/// What an event leads to.
///
/// @param effects to be carried out in this order
public record Step(Renewal next, List<Effect> effects) {
    public Step {
        effects = List.copyOf(effects);
    }
}
