/// What an operator says to a running parent, and what it answers: one request and one reply a connection.
///
/// The parent renders the answer, the client only prints it: client and parent of different builds understand each other.
///
/// Not here: sockets (`io.servery.admin.operator` has the client, the supervisor the other end), deciding anything.
@NullMarked
package io.servery.core.operator;

import org.jspecify.annotations.NullMarked;
