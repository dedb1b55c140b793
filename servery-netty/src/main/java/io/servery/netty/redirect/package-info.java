/// Plain HTTP beside a service that speaks TLS: every request is told where to go.
///
/// Not here: whose connections these are (`worker`), what a certificate authority asks for meanwhile (`challenge`).
@NullMarked
package io.servery.netty.redirect;

import org.jspecify.annotations.NullMarked;
