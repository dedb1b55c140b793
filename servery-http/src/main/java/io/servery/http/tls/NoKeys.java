package io.servery.http.tls;

import io.netty.handler.ssl.util.SimpleKeyManagerFactory;
import java.net.Socket;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// The key manager that Netty demands of a server, and that is never asked: [KeyMaterial] is given to each connection.
final class NoKeys extends SimpleKeyManagerFactory {
    private static final KeyManager NONE = new X509ExtendedKeyManager() {
        @Override
        public @Nullable String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
            return null;
        }

        @Override
        public String @Nullable [] getServerAliases(String keyType, Principal[] issuers) {
            return null;
        }

        @Override
        public @Nullable String chooseClientAlias(String[] keyType, Principal[] issuers, Socket socket) {
            return null;
        }

        @Override
        public String @Nullable [] getClientAliases(String keyType, Principal[] issuers) {
            return null;
        }

        @Override
        public X509Certificate @Nullable [] getCertificateChain(String alias) {
            return null;
        }

        @Override
        public @Nullable PrivateKey getPrivateKey(String alias) {
            return null;
        }
    };

    @Override
    protected void engineInit(KeyStore store, char[] password) {
        // There is nothing to open.
    }

    @Override
    protected void engineInit(ManagerFactoryParameters parameters) {
        // As above.
    }

    @Override
    protected KeyManager[] engineGetKeyManagers() {
        return new KeyManager[]{NONE};
    }
}
