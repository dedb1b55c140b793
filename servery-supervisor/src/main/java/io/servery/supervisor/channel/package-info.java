/// Unix stream sockets of the parent and its workers: bytes, and descriptors beside them (SCM_RIGHTS); control channels
/// that carry orders one way and reports the other; and the one wait for all of them, poll(2).
///
/// *Invariant*: descriptors that were received and that nobody takes are closed with their channel.
///
/// Not here: what a frame looks like (`core.control`), and what an order or a report leads to.
@NullMarked
package io.servery.supervisor.channel;

import org.jspecify.annotations.NullMarked;
