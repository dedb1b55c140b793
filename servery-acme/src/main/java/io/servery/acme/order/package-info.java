/// One conversation with an ACME authority (RFC 8555): from an account to a certificate that was judged and kept.
///
/// [AcmeClient] does it on a thread of its own and answers with [Reply] values; [Attempt] is one order, [Judge] what a
/// certificate must be.
///
/// Not here: when (`renewal`), files (`store`), what workers answer (`challenge`), a listener.
@NullMarked
package io.servery.acme.order;

import org.jspecify.annotations.NullMarked;
