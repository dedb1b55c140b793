/// TLS against real peers: openssl, curl, the JDK's TLS, BoringSSL itself.
@NullMarked
package io.servery.http.tls;

import org.jspecify.annotations.NullMarked;
