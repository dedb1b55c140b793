/// The worker's half of the control channel: a process that connects to its parent, obeys orders in their order, and
/// reports what became of them.
///
/// A thread of its own, the control thread, waits for orders, for the end of the parent and for what other threads hand it;
/// it alone touches the channel and the state of this life. Event loops leave their heartbeats and wake it; they never wait.
///
///     gathering ─Prepare─► preparing ─► prepared ─Commit─► serving ─Drain, or the parent is gone─► draining ─► exit
///
/// Not here: what an order leads to inside of a worker (`worker`), what parent and worker say (`core.control`).
@NullMarked
package io.servery.netty.worker.link;

import org.jspecify.annotations.NullMarked;
