package io.servery.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.servery.core.fault.Fault;
import io.servery.core.tls.AuthoritiesReading;
import io.servery.core.tls.Identity;
import io.servery.core.tls.IdentityReader;
import io.servery.core.tls.IdentityReading;
import io.servery.core.tls.IdentityText;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Any text as the file of a certificate, of its key, and of authorities.
///
/// What is accepted reads back as itself from the text that it writes, and its certificates are in the file as a whole.
class IdentityFuzz {
    private static final Instant NOW = Instant.parse("2027-06-01T00:00:00Z");
    private static final Pattern CERTIFICATE = Pattern.compile("-----BEGIN CERTIFICATE-----");

    @FuzzTest
    void identity(byte[] bytes) {
        String text = new String(bytes, ISO_8859_1);
        IdentityText files = new IdentityText("tls.manual", "c", text, "k", text, Optional.empty(), List.of());
        // A parsed certificate and a made signature cost more than their bytes.
        switch (Cost.within(20_000_000 + 2000L * bytes.length, () -> IdentityReader.read(files, NOW))) {
            case IdentityReading.Accepted(Identity identity) -> judge(identity, text);
            case IdentityReading.Refused(List<Fault> faults) -> judge(faults);
        }
        switch (AuthoritiesReading.read("tls.client_ca_file", "c", text)) {
            case AuthoritiesReading.Accepted(List<X509Certificate> certificates) ->
                Invariant.holds(CERTIFICATE.matcher(text).results().count() >= certificates.size(), () -> text);
            case AuthoritiesReading.Refused(List<Fault> faults) -> judge(faults);
        }
    }

    private static void judge(Identity identity, String text) {
        Invariant.same(identity, Identity.of(identity.certificatesPem(), identity.keyPem()), () -> "of its own text");
        Invariant.holds(!identity.names().isEmpty() && !identity.notAfter().isBefore(NOW)
                && !identity.notBefore().isAfter(NOW), identity::toString);
        String packed = text.replaceAll("[\\s]", "");
        Invariant.holds(packed.contains(identity.certificatesPem().replaceAll("-----[^-]*-----|\\s", " ")
                .strip().split(" {2,}", -1)[0].replace(" ", "")), () -> "another certificate than the file's");
    }

    private static void judge(List<Fault> faults) {
        Invariant.holds(!faults.isEmpty(), () -> "refused without a reason");
        for (Fault fault : faults) {
            String what = fault.what();
            Invariant.holds(what.startsWith("`tls.") && what.contains("found ") && what.contains("; expected ")
                    && what.length() < 400 && UTF_8.newEncoder().canEncode(what)
                    && what.chars().allMatch(c -> c >= ' ' && c <= '~' || c == '…'), () -> "no fault's words: " + what);
        }
    }
}
