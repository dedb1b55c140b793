package io.servery.acme.challenge;

import io.servery.core.tls.AddressText;
import io.servery.core.tls.CertificateNames;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;

/// One name of a certificate.
public sealed interface Name {

    /// As it is written, in one form only.
    String text();

    /// As it comes in SNI while the authority verifies it.
    String serverName();

    /// A DNS name, in lower case and ASCII.
    record Dns(String text) implements Name {
        @Override
        public String serverName() {
            return text;
        }
    }

    /// An IP address (RFC 8738).
    record Ip(InetAddress address) implements Name {

        @Override
        public String text() {
            return AddressText.of(address);
        }

        /// The reverse name (RFC 8738, section 6): SNI has no form for addresses.
        @Override
        public String serverName() {
            byte[] bytes = address.getAddress();
            StringBuilder name = new StringBuilder();
            for (int i = bytes.length - 1; i >= 0; i--) {
                if (address instanceof Inet4Address) {
                    name.append(bytes[i] & 0xff).append('.');
                } else {
                    name.append(Character.forDigit(bytes[i] & 0xf, 16)).append('.');
                    name.append(Character.forDigit(bytes[i] >> 4 & 0xf, 16)).append('.');
                }
            }
            return name.append(address instanceof Inet4Address ? "in-addr.arpa" : "ip6.arpa").toString();
        }
    }

    /// The name that a configuration writes.
    ///
    /// @param text a DNS name in any case, or a literal address, with brackets or without
    /// @throws IllegalArgumentException where it is none that HTTP-01 or TLS-ALPN-01 can prove: a wildcard, say
    static Name of(String text) {
        CertificateNames names = CertificateNames.of(List.of(text));
        String host = names.isEmpty() ? "*" : names.texts().first();
        if (host.startsWith("*")) {
            throw new IllegalArgumentException("`" + text + "`: found no name that HTTP-01 or TLS-ALPN-01 can prove;"
                    + " expected letters, digits and hyphens between dots (no wildcard; others as A-labels)");
        }
        return host.startsWith("[")
                ? new Ip(InetAddress.ofLiteral(host.substring(1, host.length() - 1)))
                : new Dns(host);
    }
}
