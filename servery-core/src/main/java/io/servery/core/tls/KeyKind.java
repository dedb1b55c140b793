package io.servery.core.tls;

import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Optional;

/// The kinds of keys that identify a server here: what BoringSSL signs with.
enum KeyKind {
    RSA("RSA", "1.2.840.113549.1.1.1", "SHA256withRSA"),
    EC("EC", "1.2.840.10045.2.1", "SHA256withECDSA"),
    ED25519("Ed25519", "1.3.101.112", "Ed25519");

    static final String NAMES = "RSA of 2048 to 8192 bits, EC on P-256, P-384 or P-521, or Ed25519";

    private static final int RSA_BITS_MIN = 2048;
    private static final int RSA_BITS_MAX = 8192;
    private static final byte[] PROBE = {'s', 'e', 'r', 'v', 'e', 'r', 'y'};

    private final String factory;
    private final String identifier;
    private final String signature;

    KeyKind(String factory, String identifier, String signature) {
        this.factory = factory;
        this.identifier = identifier;
        this.signature = signature;
    }

    /// The identifier of such keys in DER.
    byte[] identifier() {
        return DerWriter.identifier(identifier);
    }

    /// The kind with this identifier in DER.
    static Optional<KeyKind> of(byte[] identifier) {
        return Arrays.stream(values()).filter(kind -> Arrays.equals(kind.identifier(), identifier)).findFirst();
    }

    static Optional<KeyKind> of(PublicKey key) {
        return Arrays.stream(values()).filter(kind -> kind.factory.equals(name(key))).findFirst();
    }

    /// The name of a key's algorithm; the JDK calls the two of Edwards curves by one.
    static String name(PublicKey key) {
        return key.getAlgorithm().equals("EdDSA") && key instanceof EdECPublicKey edwards
                ? edwards.getParams().getName()
                : key.getAlgorithm();
    }

    /// The key in PKCS #8.
    PrivateKey key(byte[] pkcs8) {
        try {
            return KeyFactory.getInstance(factory).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
        } catch (InvalidKeySpecException _) {
            throw new Unusable(Unusable.NO_LINE, "a key of kind " + factory + " that cannot be read", "a whole key");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Whether what the private key signs is what the public key verifies.
    boolean belong(PrivateKey secret, PublicKey open) {
        try {
            Signature signing = Signature.getInstance(signature);
            signing.initSign(secret);
            signing.update(PROBE);
            byte[] signed = signing.sign();
            Signature verifying = Signature.getInstance(signature);
            verifying.initVerify(open);
            verifying.update(PROBE);
            return verifying.verify(signed);
        } catch (InvalidKeyException | SignatureException _) {
            return false;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /// What is too weak, or too unusual, about a key; empty when nothing is.
    static Optional<String> weakness(PublicKey key) {
        return switch (key) {
            case RSAPublicKey rsa when rsa.getModulus().bitLength() < RSA_BITS_MIN
                    || rsa.getModulus().bitLength() > RSA_BITS_MAX ->
                Optional.of("an RSA key of " + rsa.getModulus().bitLength() + " bits");
            case ECPublicKey ec when !isUsualField(ec.getParams().getCurve().getField().getFieldSize()) ->
                Optional.of("an EC key of " + ec.getParams().getCurve().getField().getFieldSize() + " bits");
            default -> of(key).isPresent() ? Optional.empty() : Optional.of("a key of kind " + name(key));
        };
    }

    private static boolean isUsualField(int bits) {
        return bits == 256 || bits == 384 || bits == 521;
    }
}
