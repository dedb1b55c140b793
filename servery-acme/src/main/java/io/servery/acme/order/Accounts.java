package io.servery.acme.order;

import io.servery.acme.store.KeptAccount;
import io.servery.acme.store.Loaded;
import io.servery.acme.store.StateDirectory;
import io.servery.core.config.Tls;
import io.servery.core.reason.Reason;
import io.servery.core.tls.KeyPairs;
import java.io.IOException;
import java.net.URI;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.shredzone.acme4j.AccountBuilder;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Metadata;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.connector.Connection;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.toolbox.JSONBuilder;

/// The account at an authority. Its key is kept before the authority hears of it: whatever stops then, the next attempt
/// finds the same account, because a registration with a known key is a look-up (RFC 8555, section 7.3). Such a look-up changes
/// nothing: an address that is another since then is told by itself (section 7.3.2).
final class Accounts {
    /// What every authority with external accounts takes; acme4j would choose by the length of the key.
    private static final String BINDING = "HS256";

    private Accounts() {
    }

    static Login login(Session session, AcmeSettings settings, StateDirectory state,
            Cancellation cancellation, Consumer<Reply> aside) throws AcmeException, AttemptException, IOException {
        Metadata metadata = session.getMetadata();
        Optional<URI> terms = metadata.getTermsOfService();
        if (terms.isPresent() && !settings.acme().termsAccepted()) {
            throw new AttemptException(Reason.CA_REJECTED, Terms.unaccepted(terms.get()));
        }
        if (metadata.isExternalAccountRequired() && settings.acme().externalAccount().isEmpty()) {
            throw new AttemptException(Reason.CA_REJECTED, "tls.acme.external_account: found none; expected one, as "
                    + settings.acme().directory().getHost() + " asks for");
        }
        Optional<KeptAccount> before = kept(state, aside);
        KeptAccount account = before.isPresent() ? before.get() : made(state);
        AccountBuilder builder = new AccountBuilder().useKeyPair(account.key());
        if (terms.isPresent()) {
            builder.agreeToTermsOfService();
        }
        settings.acme().email().ifPresent(builder::addEmail);
        if (settings.acme().externalAccount().isPresent()) {
            Tls.ExternalAccount external = settings.acme().externalAccount().get();
            builder.withKeyIdentifier(external.keyId(), external.hmacKey().reveal()).withMacAlgorithm(BINDING);
        }
        Login login = builder.createLogin(session);
        Optional<String> email = settings.acme().email();
        if (!account.knows(email) && (before.isEmpty() || isTold(login, email, cancellation, aside))) {
            state.keepAccount(new KeptAccount(account.key(), true, email));
        }
        return login;
    }

    /// A certificate matters more than the address of somebody: what the authority makes of it ends nothing.
    private static boolean isTold(Login login, Optional<String> email, Cancellation cancellation,
            Consumer<Reply> aside) {
        JSONBuilder claims = new JSONBuilder();
        claims.put("contact", email.map(address -> List.of("mailto:" + address)).orElseGet(List::of));
        try (Connection connection = login.getSession().connect()) {
            connection.sendSignedRequest(login.getAccount().getLocation(), claims, login);
            return true;
        } catch (AcmeException | RuntimeException failed) {
            notTold(failed, cancellation, aside);
            return false;
        }
    }

    /// What a cancellation ended says nothing of the authority.
    static void notTold(Throwable failed, Cancellation cancellation, Consumer<Reply> aside) {
        if (!cancellation.isCancelled()) {
            aside.accept(new Reply.AccountNotUpdated(Trouble.of(failed, Optional.empty()).detail()));
        }
    }

    /// The account that there is; empty where there is none yet.
    static Optional<KeptAccount> kept(StateDirectory state, Consumer<Reply> aside) throws IOException {
        Loaded<KeptAccount> kept = state.account();
        if (kept instanceof Loaded.Damaged<KeptAccount>(var keptAs, String why)) {
            aside.accept(new Reply.Damaged(keptAs, why));
        }
        return kept.whole();
    }

    private static KeptAccount made(StateDirectory state) throws IOException {
        KeptAccount made = KeptAccount.untold(KeyPairs.make(new SecureRandom()));
        state.keepAccount(made);
        return made;
    }
}
