/// One run of the service in this process: bind, start a worker, wait for signals, drain, exit code.
///
/// Until there is a supervisor, this is its whole work.
///
/// Not here: the command line (`cli`), serving (`worker`).
@NullMarked
package io.servery.netty.run;

import org.jspecify.annotations.NullMarked;
