/// The certificate that an authority issues for a service: who asks for it, keeps it, offers it to whoever shows identities, and
/// answers operators.
///
/// [CertificateOwner] is the one owner in the life of a parent, [OwnedCertificate] what it does for one set of names at one
/// authority.
///
/// Not here: when it is renewed, how an authority is spoken to, how it is kept (`io.servery.acme`); workers.
@NullMarked
package io.servery.netty.identity.acme;

import org.jspecify.annotations.NullMarked;
