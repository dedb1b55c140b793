/// The packaged jar seen from outside: a process, its exit codes and signals, and raw sockets with exact bytes.
///
/// Not here: anything that looks inside the server; nothing in this package imports a class of it except its vocabulary of
/// reasons and exit codes.
@NullMarked
package io.servery.interop;

import org.jspecify.annotations.NullMarked;
