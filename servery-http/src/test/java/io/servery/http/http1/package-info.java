/// Tests of HTTP/1.1 in the order of RFC 9112, over an embedded channel with a clock of its own, and over sockets where
/// only those can show it.
@NullMarked
package io.servery.http.http1;

import org.jspecify.annotations.NullMarked;
