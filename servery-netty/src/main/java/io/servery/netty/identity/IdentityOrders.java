package io.servery.netty.identity;

import io.servery.core.control.Order;
import io.servery.core.tls.AuthoritiesReading;
import io.servery.core.tls.CertificateNames;
import io.servery.core.tls.Credentials;
import io.servery.core.tls.Identity;
import io.servery.core.tls.TicketKey;
import io.servery.core.tls.TicketKeys;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/// Credentials and keys of session tickets as an order says them to a worker, and back.
public final class IdentityOrders {
    private static final String AUTHORITIES_KEY = "tls.client_ca_file";

    private IdentityOrders() {
    }

    /// The order.
    ///
    /// @throws IllegalArgumentException with what there is too much of, where one message cannot carry it
    static Order.Identify of(long number, Credentials credentials, TicketKeys keys) {
        return new Order.Identify(number, shown(credentials), authorities(credentials), texts(keys));
    }

    /// All identities, that by default first.
    static List<Order.Shown> shown(Credentials credentials) {
        Identity byDefault = credentials.byDefault();
        return Stream.concat(Stream.of(new Order.Shown(List.of(), byDefault.certificatesPem(), byDefault.keyPem())),
                credentials.others().stream().map(other -> new Order.Shown(List.copyOf(other.names().texts()),
                        other.identity().certificatesPem(), other.identity().keyPem())))
                .toList();
    }

    static String authorities(Credentials credentials) {
        return Identity.certificatesPem(credentials.clientAuthorities());
    }

    static List<String> texts(TicketKeys keys) {
        return keys.accepted().stream().map(key -> HexFormat.of().formatHex(key.bytes())).toList();
    }

    /// The credentials of an order.
    ///
    /// @throws IllegalArgumentException when they are none that a parent of this build sends
    public static Credentials credentials(Order.Identify order) {
        List<Credentials.Named> others = new ArrayList<>();
        for (Order.Shown other : order.identities().subList(1, order.identities().size())) {
            others.add(new Credentials.Named(identity(other), CertificateNames.of(other.names())));
        }
        return new Credentials(identity(order.identities().getFirst()), others,
                authorities(order.clientAuthorities()));
    }

    private static Identity identity(Order.Shown shown) {
        return Identity.of(shown.certificates(), shown.key());
    }

    private static List<X509Certificate> authorities(String pem) {
        if (pem.isEmpty()) {
            return List.of();
        }
        return switch (AuthoritiesReading.read(AUTHORITIES_KEY, "the order", pem)) {
            case AuthoritiesReading.Accepted(List<X509Certificate> certificates) -> certificates;
            case AuthoritiesReading.Refused refused -> throw new IllegalArgumentException(refused.faults().toString());
        };
    }

    /// The keys of an order: the first seals.
    ///
    /// @throws IllegalArgumentException when they are none
    public static List<TicketKey> ticketKeys(Order.Identify order) {
        return order.ticketKeys().stream().map(text -> new TicketKey(HexFormat.of().parseHex(text))).toList();
    }
}
