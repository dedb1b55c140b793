package io.servery.acme.order;

import io.servery.core.config.Secret;

/// An account at the operator of the authority that an ACME account is bound to (RFC 8555, section 7.3.4).
///
/// @param hmacKey base64url, as the operator gives it
public record ExternalAccount(String keyId, Secret hmacKey) {
}
