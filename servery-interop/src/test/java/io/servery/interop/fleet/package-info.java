/// The service as a tree of processes, from outside: reloads, deaths, stops, privileges and the operator's commands, against
/// the packaged jar.
@NullMarked
package io.servery.interop.fleet;

import org.jspecify.annotations.NullMarked;
