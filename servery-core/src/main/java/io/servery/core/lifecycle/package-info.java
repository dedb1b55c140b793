/// The life of the service and of its workers as pure machines: which process should be there, which generation serves, who
/// reads which socket, and what an event changes about it.
///
/// [Fleet] is the whole; [Generation], [Slot], [Worker], [Reload], [Front] and [Assignment] are its parts, each with its
/// diagram. States are values that check their own invariants; the `…Machine` beside them moves them. [Event]s come in with
/// their time, [Effect]s go out; nothing else does.
///
/// *Invariant*: the same state and event give the same step, anywhere, any time.
///
/// Not here: processes, signals, sockets, descriptors, threads, clocks (servery-supervisor), and the bytes of orders and
/// reports (`control`).
@NullMarked
package io.servery.core.lifecycle;

import org.jspecify.annotations.NullMarked;
