/// The parent's listening sockets: bound as groups of shards, kept until the service ends, handed to workers as duplicates.
///
/// *Invariant*: nobody here accepts or calls shutdown(2), which would reach the workers' duplicates too. Closing the last
/// holder of a shard resets the connections in its queue, so a shard is closed only when its address is given up.
///
/// Not here: who reads a shard (`core.lifecycle`), and how it travels (`channel`).
@NullMarked
package io.servery.supervisor.listen;

import org.jspecify.annotations.NullMarked;
