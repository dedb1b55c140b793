package io.servery.acme.order;

import io.servery.acme.store.Loaded;
import io.servery.acme.store.StateDirectory;
import io.servery.core.config.Tls;
import io.servery.core.reason.Reason;
import io.servery.core.tls.KeyPairs;
import java.io.IOException;
import java.net.URI;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.function.Consumer;
import org.shredzone.acme4j.AccountBuilder;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Metadata;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.exception.AcmeException;

/// The account at an authority. Its key is kept before the authority hears of it: whatever stops then, the next attempt
/// finds the same account, because a registration with a known key is a look-up (RFC 8555, section 7.3).
final class Accounts {
    /// What every authority with external accounts takes; acme4j would choose by the length of the key.
    private static final String BINDING = "HS256";

    private Accounts() {
    }

    static Login login(Session session, AcmeSettings settings, StateDirectory state, Consumer<Reply> damages)
            throws AcmeException, AttemptException, IOException {
        Metadata metadata = session.getMetadata();
        Optional<URI> terms = metadata.getTermsOfService();
        if (terms.isPresent() && !settings.acme().termsAccepted()) {
            throw new AttemptException(Reason.CA_REJECTED, Terms.unaccepted(terms.get()));
        }
        if (metadata.isExternalAccountRequired() && settings.acme().externalAccount().isEmpty()) {
            throw new AttemptException(Reason.CA_REJECTED, "tls.acme.external_account: found none; expected one, as "
                    + settings.acme().directory().getHost() + " asks for");
        }
        AccountBuilder account = new AccountBuilder().useKeyPair(key(state, damages));
        if (terms.isPresent()) {
            account.agreeToTermsOfService();
        }
        settings.acme().email().ifPresent(account::addEmail);
        if (settings.acme().externalAccount().isPresent()) {
            Tls.ExternalAccount external = settings.acme().externalAccount().get();
            account.withKeyIdentifier(external.keyId(), external.hmacKey().reveal()).withMacAlgorithm(BINDING);
        }
        return account.createLogin(session);
    }

    private static KeyPair key(StateDirectory state, Consumer<Reply> damages) throws IOException {
        Loaded<KeyPair> kept = state.account();
        if (kept instanceof Loaded.Damaged<KeyPair>(var keptAs, String why)) {
            damages.accept(new Reply.Damaged(keptAs, why));
        }
        if (kept.whole().isPresent()) {
            return kept.whole().get();
        }
        KeyPair made = KeyPairs.make(new SecureRandom());
        state.keepAccount(made);
        return made;
    }
}
