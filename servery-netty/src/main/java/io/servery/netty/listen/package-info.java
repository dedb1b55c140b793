/// Listening sockets: bound before anything serves, handed to a worker as values, never bound by one.
///
/// Not here: accepting, and who may connect (`admission`).
@NullMarked
package io.servery.netty.listen;

import org.jspecify.annotations.NullMarked;
