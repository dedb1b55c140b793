/// Who may connect: the bounds on open connections, in all and for one client.
///
/// Not here: bounds on requests and on work (`lane`), and listening (`listen`).
@NullMarked
package io.servery.netty.admission;

import org.jspecify.annotations.NullMarked;
