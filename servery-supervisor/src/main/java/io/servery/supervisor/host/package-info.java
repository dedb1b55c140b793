/// What the parent has of its host: a runtime directory that is its own, a user, a service manager, inherited sockets, and a
/// limit of memory to share out.
///
/// Not here: which sockets are bound (`listen`), and what a worker is started with (the composition).
@NullMarked
package io.servery.supervisor.host;

import org.jspecify.annotations.NullMarked;
