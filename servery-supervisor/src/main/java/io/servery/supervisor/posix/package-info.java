/// System calls and functions of the C library (Linux on x86_64 and aarch64): numbers and addresses in, a number out, errno
/// as an exception. Both ends of a control channel use it, the parent and its workers.
///
/// Not here: what a call is good for (`channel`, `process`, `listen`, `host`).
@NullMarked
package io.servery.supervisor.posix;

import org.jspecify.annotations.NullMarked;
