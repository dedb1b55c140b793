/// Hostile input against every parser, each harness with an independent reading of the rules beside it.
///
/// A harness is a Jazzer `@FuzzTest`: `mvn verify` replays the stored seeds and then fuzzes it for `servery.fuzz.seconds`
/// (30 by default), one JVM a harness. `Reference…` classes are written from the RFCs alone, for clarity and not for speed;
/// they share no code with the server.
///
///     mvn verify -pl servery-fuzz -am -Dservery.fuzz.seconds=600     the long form
///
/// Not here: files, processes and sockets.
@NullMarked
package io.servery.fuzz;

import org.jspecify.annotations.NullMarked;
