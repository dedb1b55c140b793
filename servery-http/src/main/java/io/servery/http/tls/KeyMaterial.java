package io.servery.http.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.internal.tcnative.SSL;
import io.servery.core.tls.Identity;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLException;

/// The chain and the key of an identity as BoringSSL has them: native memory, read once and given to each connection before
/// its handshake. Netty's way, a callback in each handshake, resumed ones included, asks a key manager by the names of the
/// JDK for every signature that the client knows, which costs a resumed handshake a tenth of its time.
///
/// *Owner*: the [IdentityContext] that frees it; a connection that was given it keeps what it needs.
final class KeyMaterial {
    private final long chain;
    private final long key;

    private KeyMaterial(long chain, long key) {
        this.chain = chain;
        this.key = key;
    }

    /// @throws SSLException when BoringSSL cannot read it
    static KeyMaterial of(Identity identity) throws SSLException {
        long chain = read(identity.certificatesPem(), SSL::parseX509Chain);
        KeyMaterial material = null;
        try {
            material = new KeyMaterial(chain, read(identity.keyPem(), bio -> SSL.parsePrivateKey(bio, null)));
            return material;
        } finally {
            if (material == null) {
                SSL.freeX509Chain(chain);
            }
        }
    }

    /// Has a connection show it. Not after [#free].
    ///
    /// @param ssl a connection that has not begun its handshake
    /// @throws SSLException when BoringSSL does not take it
    void giveTo(long ssl) throws SSLException {
        try {
            SSL.setKeyMaterial(ssl, chain, key);
        } catch (Exception e) {
            throw new SSLException("BoringSSL does not take the certificate and its key", e);
        }
    }

    void free() {
        SSL.freeX509Chain(chain);
        SSL.freePrivateKey(key);
    }

    private interface Reader {
        long read(long bio) throws Exception;
    }

    /// The native form of a text, of which no copy is left.
    private static long read(String pem, Reader reader) throws SSLException {
        byte[] bytes = pem.getBytes(StandardCharsets.US_ASCII);
        ByteBuf text = UnpooledByteBufAllocator.DEFAULT.directBuffer(bytes.length);
        try {
            text.writeBytes(bytes);
            long bio = SSL.newMemBIO();
            try {
                if (SSL.bioWrite(bio, text.memoryAddress(), bytes.length) != bytes.length) {
                    throw new SSLException("BoringSSL has no memory for a text of " + bytes.length + " bytes");
                }
                return reader.read(bio);
            } finally {
                SSL.freeBIO(bio);
            }
        } catch (SSLException e) {
            throw e;
        } catch (Exception e) {
            throw new SSLException("BoringSSL does not read the certificate or its key", e);
        } finally {
            text.setZero(0, text.capacity());
            text.release();
        }
    }
}
