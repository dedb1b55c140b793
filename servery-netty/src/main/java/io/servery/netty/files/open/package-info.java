/// Opening what lies beneath a root directory: the system calls, the containment of links, the identity of what was
/// opened, and its descriptor as a channel; files in memory that have no name.
///
/// Not here: HTTP, paths of requests, what a file means. The calls are those of Linux on x86_64 and aarch64.
@NullMarked
package io.servery.netty.files.open;

import org.jspecify.annotations.NullMarked;
