/// Bounded executors for work that blocks: admission is decided before the work, and capacity is held until it ends.
///
/// Not here: what the work is; event loops.
@NullMarked
package io.servery.netty.lane;

import org.jspecify.annotations.NullMarked;
