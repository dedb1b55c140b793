/// What a certificate authority asks of this host over HTTP while it validates.
///
/// Not here: handshakes for it (`http.tls`), which challenges stand and until when (the parent).
@NullMarked
package io.servery.netty.challenge;

import org.jspecify.annotations.NullMarked;
