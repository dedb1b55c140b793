/// The worker: event loops, connections and the features that answer, made from values that come from outside — a
/// resolved configuration and sockets that listen already — so that a supervisor can pass them later.
///
///     prepare (nothing read) ─► commit (ready) ─► drain ─► ended
///
/// Not here: binding (`listen`), reading configuration (`core.config`), signals and exit codes (`run`).
@NullMarked
package io.servery.netty.worker;

import org.jspecify.annotations.NullMarked;
