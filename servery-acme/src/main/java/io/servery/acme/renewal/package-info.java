/// When the certificate of one identity is renewed, as a pure machine.
///
/// [Renewal] is the state, [Schedule] knows the moments, [RenewalMachine] moves the state. [Event]s come in with their time,
/// [Effect]s go out; nothing else does.
///
/// *Invariant*: the same state and event give the same step, anywhere, any time: what looks like chance is drawn from a seed.
///
/// Not here: the authority (`order`), files (`store`), clocks, threads.
@NullMarked
package io.servery.acme.renewal;

import org.jspecify.annotations.NullMarked;
