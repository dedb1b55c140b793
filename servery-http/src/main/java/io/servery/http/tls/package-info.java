/// TLS by BoringSSL: from identities as values to connections whose bytes are plain, each with the identity that its peer
/// was shown.
///
/// Not here: reading and judging certificates (`io.servery.core.tls`), what is served, what a Host outside of an identity is
/// answered.
@NullMarked
package io.servery.http.tls;

import org.jspecify.annotations.NullMarked;
