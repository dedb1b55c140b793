/// What the threads of a process that serves ask of the kernel.
///
/// Not here: what they do, and who makes them.
@NullMarked
package io.servery.netty.thread;

import org.jspecify.annotations.NullMarked;
