package io.servery.core.tls;

import io.servery.core.config.Secret;
import java.io.IOException;
import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.PBEParameterSpec;

/// The private key of a PEM text: PKCS #8, plain or encrypted (RFC 5958), PKCS #1 (RFC 8017 §A.1.2), SEC 1 (RFC 5915).
final class PrivateKeyReader {
    private static final Set<String> LABELS = Set.of("PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "RSA PRIVATE KEY",
            "EC PRIVATE KEY");
    /// A file that asks for more would hold a start up for longer than a minute.
    private static final int ITERATIONS_MAX = 10_000_000;
    private static final byte[] NO_PARAMETERS = {0x05, 0x00};
    private static final int CURVE_OF_SEC1 = 0xa0;
    private static final List<byte[]> CURVES = List.of(DerWriter.identifier("1.2.840.10045.3.1.7"),
            DerWriter.identifier("1.3.132.0.34"), DerWriter.identifier("1.3.132.0.35"));

    private PrivateKeyReader() {
    }

    /// The one key among the blocks. Certificates and parameters beside it are passed over.
    ///
    /// @throws Unusable where there is none, several, or one that cannot be used
    static PrivateKey read(List<PemBlock> blocks, Optional<Secret> password) {
        List<PemBlock> keys = blocks.stream().filter(block -> LABELS.contains(block.label())).toList();
        if (keys.isEmpty()) {
            String found = blocks.isEmpty() ? "no PEM block" : "no private key but " + blocks.getFirst().label();
            throw new Unusable(Unusable.NO_LINE, found, "a PRIVATE KEY");
        }
        if (keys.size() > 1) {
            throw new Unusable(keys.get(1).line(), "a second private key", "one");
        }
        PemBlock key = keys.getFirst();
        if (password.isPresent() && !key.label().startsWith("ENCRYPTED")) {
            throw new Unusable(key.line(), "a key that is not encrypted", "one that the password opens",
                    "remove private_key_password");
        }
        try {
            return of(key, password);
        } catch (Unusable unusable) {
            throw unusable.at(key.line());
        }
    }

    private static PrivateKey of(PemBlock key, Optional<Secret> password) {
        return switch (key.label()) {
            case "RSA PRIVATE KEY" -> ofPkcs8(wrapped(KeyKind.RSA, NO_PARAMETERS, key.content()));
            case "EC PRIVATE KEY" -> ofPkcs8(wrapped(KeyKind.EC, curve(key.content()), key.content()));
            case "ENCRYPTED PRIVATE KEY" -> ofPkcs8(decrypted(key.content(), password));
            default -> ofPkcs8(key.content());
        };
    }

    private static PrivateKey ofPkcs8(byte[] pkcs8) {
        DerReader info = DerReader.within(pkcs8, DerReader.SEQUENCE);
        info.content(DerReader.INTEGER);
        DerReader algorithm = info.within(DerReader.SEQUENCE);
        KeyKind kind = KeyKind.of(algorithm.element())
                .orElseThrow(() -> new Unusable(Unusable.NO_LINE, "a key of another kind", KeyKind.NAMES));
        if (kind == KeyKind.EC) {
            requireCurve(algorithm.element());
        }
        return kind.key(pkcs8);
    }

    /// The curve that a key in SEC 1 names.
    private static byte[] curve(byte[] sec1) {
        DerReader key = DerReader.within(sec1, DerReader.SEQUENCE);
        key.content(DerReader.INTEGER);
        key.content(DerReader.OCTET_STRING);
        if (!key.is(CURVE_OF_SEC1)) {
            throw new Unusable(Unusable.NO_LINE, "an EC key that names no curve", KeyKind.NAMES,
                    "openssl pkcs8 -topk8 -nocrypt -in OLD -out NEW");
        }
        byte[] curve = key.within(CURVE_OF_SEC1).element();
        requireCurve(curve);
        return curve;
    }

    private static void requireCurve(byte[] curve) {
        if (CURVES.stream().noneMatch(known -> Arrays.equals(known, curve))) {
            throw new Unusable(Unusable.NO_LINE, "an EC key on another curve", KeyKind.NAMES);
        }
    }

    /// The PrivateKeyInfo around a key in a form of its own (RFC 5958 §2).
    private static byte[] wrapped(KeyKind kind, byte[] parameters, byte[] key) {
        return DerWriter.sequence(DerWriter.integer(BigInteger.ZERO),
                DerWriter.sequence(kind.identifier(), parameters), DerWriter.octets(key));
    }

    private static byte[] decrypted(byte[] encrypted, Optional<Secret> password) {
        if (password.isEmpty()) {
            throw new Unusable(Unusable.NO_LINE, "an encrypted key", "private_key_password, which opens it");
        }
        EncryptedPrivateKeyInfo info;
        Cipher cipher;
        PBEKeySpec spec = new PBEKeySpec(password.get().reveal().toCharArray());
        try {
            info = new EncryptedPrivateKeyInfo(encrypted);
            AlgorithmParameters parameters = info.getAlgParameters();
            if (parameters == null) {
                throw unknownEncryption();
            }
            requireFewIterations(parameters);
            SecretKey key = SecretKeyFactory.getInstance(info.getAlgName()).generateSecret(spec);
            cipher = Cipher.getInstance(info.getAlgName());
            cipher.init(Cipher.DECRYPT_MODE, key, parameters);
        } catch (IOException | GeneralSecurityException _) {
            throw unknownEncryption();
        } finally {
            spec.clearPassword();
        }
        try {
            return info.getKeySpec(cipher).getEncoded();
        } catch (GeneralSecurityException _) {
            throw new Unusable(Unusable.NO_LINE, "an encrypted key that the password does not open",
                    "its password in private_key_password");
        }
    }

    private static Unusable unknownEncryption() {
        return new Unusable(Unusable.NO_LINE, "a key under an encryption that is not known here",
                "PBES2 with PBKDF2 and AES", "openssl pkcs8 -topk8 -v2 aes-256-cbc -in OLD -out NEW");
    }

    private static void requireFewIterations(AlgorithmParameters parameters) throws InvalidParameterSpecException {
        int iterations = parameters.getParameterSpec(PBEParameterSpec.class).getIterationCount();
        if (iterations > ITERATIONS_MAX) {
            throw new Unusable(Unusable.NO_LINE, "an encrypted key with " + iterations + " iterations",
                    "at most " + ITERATIONS_MAX);
        }
    }
}
