package io.servery.core.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/// Keys and certificates as `openssl` makes them, in a directory of the test. What is made from the same words and files is
/// made once.
final class Authority {
    private static final boolean INSTALLED = List.of(System.getenv("PATH").split(":", -1)).stream()
            .anyMatch(place -> Files.isExecutable(Path.of(place, "openssl")));
    private static final Map<List<String>, String> MADE = new ConcurrentHashMap<>();

    private final Path directory;

    Authority(Path directory) {
        this.directory = directory;
        assumeTrue(INSTALLED, "openssl is not installed: nothing else makes these files");
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
        make(name + ".key", words, () -> openssl(words.toArray(String[]::new)));
    }

    /// A certificate in `NAME.pem` for `NAME.key`, signed by another or by itself.
    ///
    /// @param extensions lines of an extension file
    void certificate(String name, String issuer, String... extensions) throws Exception {
        certificateSigned("-sha256", name, issuer, extensions);
    }

    void certificateSigned(String digest, String name, String issuer, String... extensions) throws Exception {
        Files.write(directory.resolve("extensions"), List.of(extensions));
        List<String> words = new ArrayList<>(List.of("x509", "-req", "-in", name + ".csr", "-out", name + ".pem",
                "-days", "90", digest, "-extfile", "extensions"));
        words.addAll(name.equals(issuer)
                ? List.of("-signkey", name + ".key")
                : List.of("-CA", issuer + ".pem", "-CAkey", issuer + ".key", "-CAcreateserial"));
        List<String> from = new ArrayList<>(words);
        from.addAll(List.of(extensions));
        from.add(text(name + ".key"));
        from.add(name.equals(issuer) ? "" : text(issuer + ".pem", issuer + ".key"));
        make(name + ".pem", from, () -> {
            openssl("req", "-new", "-key", name + ".key", "-subj", "/CN=" + name, "-out", name + ".csr");
            openssl(words.toArray(String[]::new));
        });
    }

    private interface Commands {
        void run() throws Exception;
    }

    /// A file as these commands write it, or as they did before.
    private void make(String file, List<String> from, Commands commands) throws Exception {
        String made = MADE.get(from);
        if (made == null) {
            commands.run();
            MADE.put(from, text(file));
        } else {
            Files.writeString(directory.resolve(file), made);
        }
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
