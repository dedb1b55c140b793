package io.servery.netty.identity;

import io.servery.core.config.ServeryConfig;
import io.servery.core.config.Tls;
import io.servery.core.fault.ExitCode;
import io.servery.core.fault.Fault;
import io.servery.core.fault.Place;
import io.servery.core.lifecycle.Cause;
import io.servery.core.operator.OperatorReply;
import io.servery.core.tls.Identity;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// Identities that an authority issues: what whoever shows identities asks of their owner.
public interface IssuedIdentities {
    /// What a configuration shows when it begins to serve: something valid, wherever there is something. On a thread that may
    /// wait, also while another configuration serves.
    ///
    /// @param before what is shown now and is valid; it is better than nothing
    Reading read(ServeryConfig config, Tls.Acme acme, Optional<Identity> before);

    /// What became of reading.
    sealed interface Reading {
    }

    /// It can be shown.
    record Given(Identity identity) implements Reading {
    }

    /// It cannot be had as the configuration is; at least one fault.
    record Refused(List<Fault> faults) implements Reading {
        public Refused {
            faults = List.copyOf(faults);
        }
    }

    /// This configuration serves, and no other.
    ///
    /// @param acme empty where it asks for no authority
    void serves(ServeryConfig config, Optional<Tls.Acme> acme);

    /// What is to be shown now for what serves, a certificate that nobody has shown yet included. Empty where there is nothing
    /// better than what is shown.
    Optional<Identity> wanted(Tls.Acme acme);

    /// Another number than before: what is wanted is handed to every worker again, though it is the same. Some did not answer.
    int offer();

    /// Every worker shows it.
    void shown(Identity identity);

    /// A worker cannot show it; all show what they did before.
    ///
    /// @return whether that is told of by the owner
    boolean refused(Identity identity, String why);

    /// Whether it stands in for one that nobody has issued yet: no client trusts it.
    boolean isStandIn(Identity identity);

    /// Why there is none yet, the missing first.
    List<Cause> missing();

    /// When one is ordered next, at the latest.
    Optional<Instant> nextAttempt();

    /// An operator asks for a new one.
    ///
    /// @param force although nothing is due
    /// @return completes with what is to be answered
    CompletionStage<OperatorReply> renew(boolean force);

    /// For a process that has nobody to keep what an authority issues.
    static IssuedIdentities none() {
        return new NoAuthority();
    }

    /// Refuses what it is asked for.
    final class NoAuthority implements IssuedIdentities {
        private NoAuthority() {
        }

        @Override
        public Reading read(ServeryConfig config, Tls.Acme acme, Optional<Identity> before) {
            return new Refused(List.of(Fault.configuration(new Place.Named("tls.mode"),
                    "found \"acme\" where one process serves; expected a configuration file, `run`, and epoll",
                    "a parent gets and keeps the certificate, and `serve` has none")));
        }

        @Override
        public void serves(ServeryConfig config, Optional<Tls.Acme> acme) {
            // Nothing to own.
        }

        @Override
        public Optional<Identity> wanted(Tls.Acme acme) {
            return Optional.empty();
        }

        @Override
        public int offer() {
            return 0;
        }

        @Override
        public void shown(Identity identity) {
            // None of ours.
        }

        @Override
        public boolean refused(Identity identity, String why) {
            return false;
        }

        @Override
        public boolean isStandIn(Identity identity) {
            return false;
        }

        @Override
        public List<Cause> missing() {
            return List.of();
        }

        @Override
        public Optional<Instant> nextAttempt() {
            return Optional.empty();
        }

        @Override
        public CompletionStage<OperatorReply> renew(boolean force) {
            return CompletableFuture.completedFuture(OperatorReply.err(ExitCode.FAILED,
                    "renew: found no certificate of an authority; expected tls.mode = \"acme\"\n"));
        }
    }
}
