package io.servery.http.tls;

import io.servery.core.tls.CertificateNames;
import io.servery.http.exchange.RequestHead;
import io.servery.http.semantics.Authority;
import io.servery.http.semantics.FieldName;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Which values of Host an identity stands for, with the last one that it did.
///
/// *Owner*: any event loop; two that write at once write what is true.
final class HostMemo {
    private final CertificateNames names;
    private volatile byte @Nullable [] last;

    HostMemo(CertificateNames names) {
        this.names = names;
    }

    /// The bytes of the Host of this request when the identity stands for it; null when it does not. The port does not
    /// matter: one certificate is for every port of a host.
    byte @Nullable [] covered(RequestHead head) {
        byte[] known = last;
        if (known != null && head.valueIs(FieldName.HOST, known)) {
            return known;
        }
        @Nullable
        String value = head.value(FieldName.HOST);
        @Nullable
        Authority authority = value == null ? null : Authority.parse(value);
        if (value == null || authority == null || !names.covers(authority.host())) {
            return null;
        }
        byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
        last = bytes;
        return bytes;
    }
}
