/// Ending without losing work: what is accepted completes, or is counted by kind and reason.
///
/// Not here: when to drain (signals are `run`'s), and how one connection ends (`Http1Connection`).
@NullMarked
package io.servery.netty.drain;

import org.jspecify.annotations.NullMarked;
