package io.servery.acme.store;

import io.servery.acme.Issuer;
import io.servery.core.tls.Identity;
import java.net.URI;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.List;
import java.util.Optional;

/// A process that keeps one certificate after another and says so, until it is killed: see [KillTest].
public final class StateWriter {
    static final URI AUTHORITY = URI.create("https://ca.example/dir");
    static final List<String> NAMES = List.of("example.com");

    private StateWriter() {
    }

    /// Writes until it is killed.
    ///
    /// @param arguments the state directory
    public static void main(String[] arguments) throws Exception {
        Issuer issuer = Issuer.root();
        try (StateRoot held = StateRoot.open(Path.of(arguments[0]))) {
            StateDirectory state = held.of(AUTHORITY, Optional.empty(), NAMES);
            while (true) {
                KeyPair key = Issuer.key();
                Identity next = issuer.identity(Issuer.Wish.of("example.com"), key);
                state.keepAccount(KeptAccount.untold(key));
                state.keepOrder(PendingOrder.placed(AUTHORITY, Optional.empty(), key));
                state.keepCandidate(next);
                state.promoteCandidate();
                System.out.println(next.chain().getFirst().getSerialNumber());
            }
        }
    }
}
