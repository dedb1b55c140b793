package io.servery.acme.store;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Keys and certificates as text (RFC 7468). All keys of ours are elliptic-curve keys.
final class Pem {
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[]{'\n'});
    private static final Pattern BLOCK = Pattern
            .compile("-----BEGIN ([A-Z ]+)-----\\n([A-Za-z0-9+/=\\n]*)-----END \\1-----\\n");

    private Pem() {
    }

    static String of(PrivateKey key) {
        return block("PRIVATE KEY", key.getEncoded());
    }

    static String of(KeyPair pair) {
        return of(pair.getPrivate()) + block("PUBLIC KEY", pair.getPublic().getEncoded());
    }

    static String of(List<X509Certificate> chain) {
        StringBuilder text = new StringBuilder();
        try {
            for (X509Certificate certificate : chain) {
                text.append(block("CERTIFICATE", certificate.getEncoded()));
            }
        } catch (CertificateEncodingException impossible) {
            throw new AssertionError("a certificate that was decoded can be encoded", impossible);
        }
        return text.toString();
    }

    static PrivateKey privateKey(String text) throws DamageException {
        try {
            return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(only("PRIVATE KEY", text)));
        } catch (GeneralSecurityException unreadable) {
            throw new DamageException("found " + unreadable.getMessage() + "; expected an elliptic-curve key");
        }
    }

    static KeyPair keyPair(String text) throws DamageException {
        try {
            PublicKey open = KeyFactory.getInstance("EC")
                    .generatePublic(new X509EncodedKeySpec(only("PUBLIC KEY", text)));
            return new KeyPair(open, privateKey(text));
        } catch (GeneralSecurityException unreadable) {
            throw new DamageException("found " + unreadable.getMessage() + "; expected an elliptic-curve key");
        }
    }

    static List<X509Certificate> chain(String text) throws DamageException {
        List<X509Certificate> chain = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (byte[] der : blocks("CERTIFICATE", text)) {
                chain.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der)));
            }
        } catch (CertificateException unreadable) {
            throw new DamageException("found " + unreadable.getMessage() + "; expected a certificate");
        }
        if (chain.isEmpty()) {
            throw new DamageException("found no certificate; expected one");
        }
        return chain;
    }

    private static byte[] only(String label, String text) throws DamageException {
        List<byte[]> found = blocks(label, text);
        if (found.size() != 1) {
            throw new DamageException("found " + found.size() + " blocks `" + label + "`; expected one");
        }
        return found.getFirst();
    }

    private static List<byte[]> blocks(String label, String text) throws DamageException {
        List<byte[]> blocks = new ArrayList<>();
        for (Matcher block = BLOCK.matcher(text); block.find();) {
            if (block.group(1).equals(label)) {
                try {
                    blocks.add(Base64.getDecoder()
                            .decode(block.group(2).replace("\n", "").getBytes(StandardCharsets.US_ASCII)));
                } catch (IllegalArgumentException notBase64) {
                    throw new DamageException("found " + notBase64.getMessage() + "; expected base64");
                }
            }
        }
        return blocks;
    }

    private static String block(String label, byte[] der) {
        return "-----BEGIN " + label + "-----\n" + LINES.encodeToString(der) + "\n-----END " + label + "-----\n";
    }
}
