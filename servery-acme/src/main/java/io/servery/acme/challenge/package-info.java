/// What workers answer while the authority verifies a name, as values: HTTP-01 (RFC 8555, section 8.3) and TLS-ALPN-01
/// (RFC 8737).
///
/// Not here: listeners, the way to the workers, and when the authority is told (`order`).
@NullMarked
package io.servery.acme.challenge;

import org.jspecify.annotations.NullMarked;
