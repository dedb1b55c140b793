/// TLS of the whole service, from outside: real clients and raw records against the packaged jar, with certificates that
/// `openssl` makes and that change while the service runs.
@NullMarked
package io.servery.interop.tls;

import org.jspecify.annotations.NullMarked;
