/// Processes of the parent: spawned by posix_spawn(3) with a lifeline on their standard input, signalled by group, reaped by
/// pid and by nobody else.
///
/// *Invariant*: a pid is signalled only while its process is not reaped, so never after it may be another's.
///
/// Not here: what is spawned, when, and what its end leads to (`core.lifecycle`).
@NullMarked
package io.servery.supervisor.process;

import org.jspecify.annotations.NullMarked;
