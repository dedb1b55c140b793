package io.servery.core.tls;

import io.servery.core.config.Secret;
import java.util.List;
import java.util.Optional;

/// The texts of one identity as its files hold them, and what they are called in messages.
///
/// @param table the table of the configuration that names them: `tls.manual` or `tls.identity`; empty where none does
/// @param certificateFile the name of the file with the chain
/// @param certificates its text
/// @param keyFile the name of the file with the private key
/// @param key its text
/// @param password opens the key, where it is encrypted
/// @param names the hosts that are to choose this identity; empty for those of the certificate
public record IdentityText(String table, String certificateFile, String certificates, String keyFile, String key,
        Optional<Secret> password, List<String> names) {
    public IdentityText {
        names = List.copyOf(names);
    }

    @Override
    public String toString() {
        return "IdentityText[table=" + table + ", certificateFile=" + certificateFile + ", keyFile=" + keyFile
                + ", key=<redacted>, names=" + names + "]";
    }
}
