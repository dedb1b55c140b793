package io.servery.core.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Keys and certificates as `openssl` makes them, in a directory of the test.
final class Authority {
    private final Path directory;

    Authority(Path directory) {
        this.directory = directory;
        assumeTrue(isThere(), "openssl is not installed: nothing else makes these files");
    }

    private static boolean isThere() {
        try {
            return new ProcessBuilder("openssl", "version").start().waitFor() == 0;
        } catch (IOException _) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Runs `openssl` with these words, in the directory.
    void openssl(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(words));
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true)
                .redirectOutput(output.toFile()).start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(command + ": " + Files.readString(output)).isZero();
    }

    /// A new key in `NAME.key`: `RSA:2048`, `EC:P-256`, `ED25519`.
    void key(String name, String kind) throws Exception {
        String[] parts = kind.split(":", -1);
        List<String> words = new ArrayList<>(List.of("genpkey", "-out", name + ".key", "-algorithm", parts[0]));
        if (parts.length > 1) {
            words.addAll(List.of("-pkeyopt",
                    (parts[0].equals("RSA") ? "rsa_keygen_bits:" : "ec_paramgen_curve:") + parts[1]));
        }
        openssl(words.toArray(String[]::new));
    }

    /// A certificate in `NAME.pem` for `NAME.key`, signed by another or by itself.
    ///
    /// @param extensions lines of an extension file
    void certificate(String name, String issuer, String... extensions) throws Exception {
        certificateSigned("-sha256", name, issuer, extensions);
    }

    void certificateSigned(String digest, String name, String issuer, String... extensions) throws Exception {
        Files.write(directory.resolve("extensions"), List.of(extensions));
        openssl("req", "-new", "-key", name + ".key", "-subj", "/CN=" + name, "-out", name + ".csr");
        List<String> words = new ArrayList<>(List.of("x509", "-req", "-in", name + ".csr", "-out", name + ".pem",
                "-days", "90", digest, "-extfile", "extensions"));
        words.addAll(name.equals(issuer)
                ? List.of("-signkey", name + ".key")
                : List.of("-CA", issuer + ".pem", "-CAkey", issuer + ".key", "-CAcreateserial"));
        openssl(words.toArray(String[]::new));
    }

    /// `root`, `between` signed by it, and `site` signed by that, for these names.
    void chain(String alternativeNames) throws Exception {
        for (String name : List.of("root", "between", "site")) {
            key(name, "EC:P-256");
        }
        certificate("root", "root", "basicConstraints=critical,CA:TRUE", "subjectKeyIdentifier=hash");
        certificate("between", "root", "basicConstraints=critical,CA:TRUE", "subjectKeyIdentifier=hash",
                "authorityKeyIdentifier=keyid");
        certificate("site", "between", "subjectAltName=" + alternativeNames, "authorityKeyIdentifier=keyid");
    }

    /// The texts of these files, one after the other.
    String text(String... files) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String file : files) {
            text.append(Files.readString(directory.resolve(file)));
        }
        return text.toString();
    }
}
