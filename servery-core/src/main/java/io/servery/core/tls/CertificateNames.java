package io.servery.core.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The hosts that a certificate stands for (RFC 9525 §6.3): names, names with any first label, addresses.
///
/// *Invariant*: in the forms of [HostText]. A name that no host can have, `f*.example.org` too, is not among them.
public final class CertificateNames {
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;

    private final Set<String> exact;
    private final Set<String> parents;

    private CertificateNames(Set<String> exact, Set<String> parents) {
        this.exact = exact;
        this.parents = parents;
    }

    /// The names that these texts are: hosts, addresses, and `*.` before a host.
    public static CertificateNames of(Collection<String> texts) {
        Set<String> exact = new TreeSet<>();
        Set<String> parents = new TreeSet<>();
        for (String text : texts) {
            @Nullable
            String parent = HostText.parentOfWildcard(text);
            @Nullable
            String host = HostText.canonical(text);
            if (parent != null) {
                parents.add(parent);
            } else if (host != null) {
                exact.add(host);
            }
        }
        return new CertificateNames(exact, parents);
    }

    /// The names of a certificate's subjectAltName; its common name says nothing.
    static CertificateNames of(X509Certificate certificate) throws CertificateParsingException {
        Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
        if (alternatives == null) {
            return new CertificateNames(Set.of(), Set.of());
        }
        // An address there is never a DNS name's text, so that "192.0.2.1" as a dNSName stands for nothing.
        return of(alternatives.stream().filter(CertificateNames::meansWhatItSays).map(name -> (String) name.get(1))
                .toList());
    }

    private static boolean meansWhatItSays(List<?> name) {
        if (!(name.get(0) instanceof Integer type) || !(name.get(1) instanceof String text)) {
            return false;
        }
        @Nullable
        String host = HostText.canonical(text);
        boolean address = host != null && host.startsWith("[");
        return type == IP_ADDRESS && address || type == DNS_NAME && !address;
    }

    /// Whether a host, as SNI or Host writes it without a port, is one of these. A wildcard stands for one label.
    public boolean covers(String host) {
        @Nullable
        String canonical = HostText.canonical(host);
        return canonical != null && coversCanonical(canonical);
    }

    private boolean coversCanonical(String canonical) {
        int dot = canonical.indexOf('.');
        return exact.contains(canonical)
                || dot > 0 && canonical.charAt(0) != '[' && parents.contains(canonical.substring(dot + 1));
    }

    /// Whether all that the other covers is covered here.
    boolean coversAll(CertificateNames other) {
        return parents.containsAll(other.parents) && other.exact.stream().allMatch(this::coversCanonical);
    }

    public boolean isEmpty() {
        return exact.isEmpty() && parents.isEmpty();
    }

    /// The names as people write them, sorted; addresses in brackets.
    public SortedSet<String> texts() {
        SortedSet<String> texts = new TreeSet<>(exact);
        parents.forEach(parent -> texts.add("*." + parent));
        return texts;
    }

    Set<String> exact() {
        return exact;
    }

    Set<String> parents() {
        return parents;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CertificateNames that && exact.equals(that.exact) && parents.equals(that.parents);
    }

    @Override
    public int hashCode() {
        return 31 * exact.hashCode() + parents.hashCode();
    }

    @Override
    public String toString() {
        return String.join(" ", texts());
    }
}
