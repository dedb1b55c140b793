package io.servery.interop.tls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/// A certification authority as `openssl` makes it, in a folder of the test: a root, an intermediate that the root signed, and
/// whatever the intermediate signs. Certificates say where that of their issuer is found, as those of public authorities do.
final class Authority {
    static final String ROOT = "root";
    static final String BETWEEN = "between";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'")
            .withZone(ZoneOffset.UTC);
    private static final String ISSUER = """
            authorityKeyIdentifier=keyid
            authorityInfoAccess=caIssuers;URI:http://authority.example/issuer.der
            crlDistributionPoints=URI:http://authority.example/revoked.crl
            """;
    private static final String SIGNING = """
            basicConstraints=critical,CA:TRUE
            keyUsage=critical,keyCertSign,cRLSign
            subjectKeyIdentifier=hash
            """;

    private final Path folder;
    private final Program openssl;

    private Authority(Path folder) {
        this.folder = folder;
        this.openssl = Program.of("openssl", folder);
    }

    /// @param name of a folder to be made
    static Authority create(Path folder, String name) {
        try {
            Authority authority = new Authority(Files.createDirectories(folder.resolve(name)));
            authority.begin(name);
            return authority;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void begin(String name) throws IOException {
        Files.writeString(file("index.txt"), "");
        Files.writeString(file("index.txt.attr"), "unique_subject = no\n");
        Files.writeString(file("ca.cnf"), """
                [ca]
                default_ca = own
                [own]
                database = index.txt
                new_certs_dir = .
                default_md = sha256
                policy = any
                unique_subject = no
                rand_serial = yes
                [any]
                commonName = supplied
                [req]
                distinguished_name = none
                [none]
                [root]
                """ + SIGNING);
        key(ROOT, "EC:P-256");
        openssl.make("req", "-config", "ca.cnf", "-x509", "-new", "-key", "root.key", "-subj", "/CN=root of " + name,
                "-days", "30", "-extensions", "root", "-out", "root.pem");
        key(BETWEEN, "EC:P-256");
        between(BETWEEN, Duration.ofHours(-1), Duration.ofDays(30));
    }

    Path file(String name) {
        return folder.resolve(name);
    }

    /// The certificate that clients trust.
    Path root() {
        return file("root.pem");
    }

    Program openssl() {
        return openssl;
    }

    private Path key(String name, String kind) {
        String[] parts = kind.split(":", -1);
        List<String> words = new ArrayList<>(List.of("genpkey", "-out", name + ".key", "-algorithm", parts[0]));
        if (parts.length > 1) {
            words.add("-pkeyopt");
            words.add((parts[0].equals("RSA") ? "rsa_keygen_bits:" : "ec_paramgen_curve:") + parts[1]);
        }
        openssl.make(words.toArray(String[]::new));
        return file(name + ".key");
    }

    /// The intermediate in another file, valid at another time.
    Path between(String name, Duration start, Duration end) {
        Wanted wanted = Wanted.of(name).valid(start, end);
        return sign(wanted, "between.key", ROOT, SIGNING.replace("TRUE", "TRUE,pathlen:0") + ISSUER);
    }

    private Path sign(Wanted wanted, String key, String issuer, String extensions) {
        String name = wanted.name();
        Path certificate = file(name + ".pem");
        Instant now = Instant.now();
        try {
            Files.writeString(file(name + ".ext"), extensions);
            Files.deleteIfExists(certificate);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        openssl.make("req", "-config", "ca.cnf", "-new", "-key", key, "-subj",
                "/CN=" + (key.equals("between.key") ? BETWEEN : name), "-out", name + ".csr");
        openssl.make("ca", "-batch", "-notext", "-config", "ca.cnf", "-cert", issuer + ".pem", "-keyfile",
                issuer + ".key", "-in", name + ".csr", "-extfile", name + ".ext", "-startdate",
                TIME.format(now.plus(wanted.start())), "-enddate", TIME.format(now.plus(wanted.end())), "-out",
                name + ".pem");
        return certificate;
    }

    /// A certificate alone, with its key: `NAME.pem` and `NAME.key`.
    Pair leaf(Wanted wanted) {
        Path key = key(wanted.name(), wanted.key());
        return new Pair(sign(wanted, wanted.name() + ".key", BETWEEN, extensions(wanted)), key);
    }

    private static String extensions(Wanted wanted) {
        return """
                subjectAltName=%s
                basicConstraints=critical,CA:FALSE
                keyUsage=critical,digitalSignature
                extendedKeyUsage=serverAuth,clientAuth
                subjectKeyIdentifier=hash
                """.formatted(wanted.alternativeNames()) + ISSUER;
    }

    /// Another certificate for a key that has one.
    Pair renewed(Pair pair, Wanted wanted) {
        Path certificate = sign(wanted, pair.key().toString(), BETWEEN, extensions(wanted));
        return new Pair(joined(wanted.name() + "-chain.pem", certificate, file("between.pem")), pair.key());
    }

    /// The same, followed by the intermediate.
    Pair issue(Wanted wanted) {
        Pair leaf = leaf(wanted);
        return new Pair(joined(wanted.name() + "-chain.pem", leaf.chain(), file("between.pem")), leaf.key());
    }

    /// A file of other files, one after the other.
    Path joined(String name, Path... parts) {
        StringBuilder text = new StringBuilder();
        try {
            for (Path part : parts) {
                text.append(Files.readString(part));
            }
            return Files.writeString(file(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A file of this text.
    Path text(String name, String text) {
        try {
            return Files.writeString(file(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The key of a pair as another command of `openssl` writes it.
    ///
    /// @param words the command without its files
    Pair rewritten(Pair pair, String name, String... words) {
        Path key = file(name + ".key");
        List<String> command = new ArrayList<>(List.of(words));
        command.addAll(List.of("-in", pair.key().toString(), "-out", key.toString()));
        openssl.make(command.toArray(String[]::new));
        return new Pair(pair.chain(), key);
    }
}
