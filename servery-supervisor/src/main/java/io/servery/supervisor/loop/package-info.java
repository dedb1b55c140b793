/// The one loop of the parent: waits for descriptors, time and other threads, turns what happens into events, steps the pure
/// machine of `core.lifecycle`, and carries out its effects in their order.
///
///     signals, operator, workers, loaded configurations ──event──► Fleet.step ──effects──► processes, sockets, askers
///
/// *Owner*: one thread, that of [Supervisor#run]. Other threads put tasks into its mailbox.
///
/// Not here: what to do about an event (`core.lifecycle`), and how a system call works (`process`, `channel`, `listen`, `host`).
@NullMarked
package io.servery.supervisor.loop;

import org.jspecify.annotations.NullMarked;
