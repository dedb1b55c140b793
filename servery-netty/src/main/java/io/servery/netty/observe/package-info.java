/// What the worker observes of itself for its metrics: the process and the JVM.
///
/// Not here: counting requests (each feature counts into its shard), exposition (servery-admin).
@NullMarked
package io.servery.netty.observe;

import org.jspecify.annotations.NullMarked;
