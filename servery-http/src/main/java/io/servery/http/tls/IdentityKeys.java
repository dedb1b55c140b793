package io.servery.http.tls;

import io.servery.core.tls.Identity;
import java.net.Socket;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.KeyManagerFactorySpi;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// The one key of a context in the form that Netty asks for.
///
/// Whatever kind of key a cipher suite calls for, this is the answer: BoringSSL knows what it can sign, and the JDK's own
/// key managers know no Ed25519.
final class IdentityKeys extends X509ExtendedKeyManager {
    private static final String ALIAS = "identity";

    private final X509Certificate[] chain;
    private final PrivateKey key;

    private IdentityKeys(Identity identity) {
        chain = identity.chain().toArray(X509Certificate[]::new);
        key = identity.key();
    }

    static KeyManagerFactory factory(Identity identity) {
        KeyManager[] managers = {new IdentityKeys(identity)};
        return new Factory(new KeyManagerFactorySpi() {
            @Override
            protected void engineInit(KeyStore store, char[] password) {
                // There is nothing to open: the key is there.
            }

            @Override
            protected void engineInit(ManagerFactoryParameters parameters) {
                // As above.
            }

            @Override
            protected KeyManager[] engineGetKeyManagers() {
                return managers;
            }
        });
    }

    @Override
    public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
        return ALIAS;
    }

    @Override
    public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
        return ALIAS;
    }

    @Override
    public String[] getServerAliases(String keyType, Principal[] issuers) {
        return new String[]{ALIAS};
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return chain.clone();
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return key;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal[] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(String[] keyType, Principal[] issuers, Socket socket) {
        return null;
    }

    private static final class Factory extends KeyManagerFactory {
        Factory(KeyManagerFactorySpi spi) {
            super(spi, new Provider("Servery", "1", "the key of an identity") {
                private static final long serialVersionUID = 1L;
            }, "Identity");
        }
    }
}
