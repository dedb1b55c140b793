package io.servery.core.operator;

import io.servery.core.lifecycle.Cause;
import io.servery.core.lifecycle.Condition;
import io.servery.core.lifecycle.Fleet;
import io.servery.core.lifecycle.Moment;
import io.servery.core.lifecycle.WorkerId;
import io.servery.core.metric.WorkerState;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// How the service is at one moment: what `status` says.
///
/// @param reasons what is not as it should be, a sentence each; why it is not ready, where it is not
/// @param generation the one that serves; 0 before the first
/// @param uptimeSeconds of the parent
/// @param workers by generation and slot; a slot that was given up has no process
/// @param listeners the addresses that serve, as the parent prints them
/// @param redirects the addresses from which plain HTTP is redirected to them
/// @param certificates that peers are shown, that by default first; none without TLS
/// @param limits of each worker, and what they make together
public record FleetStatus(Condition condition, List<String> reasons, int generation, long uptimeSeconds,
        List<WorkerStatus> workers, List<String> listeners, List<String> redirects, List<ShownCertificate> certificates,
        WorkerLimits limits) {

    public FleetStatus {
        certificates = List.copyOf(certificates);
        reasons = List.copyOf(reasons);
        workers = List.copyOf(workers);
        listeners = List.copyOf(listeners);
        redirects = List.copyOf(redirects);
    }

    /// One worker, or the place of one that was given up.
    ///
    /// @param pid empty where there is no process
    /// @param ageSeconds since the process was started
    /// @param connections open now, as far as its last heartbeats tell
    public record WorkerStatus(int slot, OptionalLong pid, int generation, WorkerState state, long ageSeconds,
            long connections) {
    }

    /// A certificate that peers are shown.
    ///
    /// @param names the hosts that it stands for
    /// @param issuer who signed it, as the certificate says
    /// @param nextAttempt when its successor is ordered at the latest; empty where nobody orders one
    public record ShownCertificate(List<String> names, Instant notAfter, String issuer,
            Optional<Instant> nextAttempt) {
        public ShownCertificate {
            names = List.copyOf(names);
        }
    }

    /// What the parent knows beside the state of its fleet.
    ///
    /// @param amiss what is wrong with its certificates, so that the service is not ready
    /// @param started when the parent began
    /// @param processes of every worker that there is
    public record Service(Moment started, Map<WorkerId, WorkerProcess> processes, List<String> listeners,
            List<String> redirects, List<ShownCertificate> certificates, List<Cause> amiss, WorkerLimits limits) {
        public Service {
            amiss = List.copyOf(amiss);
            certificates = List.copyOf(certificates);
            processes = Map.copyOf(processes);
            listeners = List.copyOf(listeners);
            redirects = List.copyOf(redirects);
        }
    }

    /// A process, and when it was started.
    public record WorkerProcess(long pid, Moment started) {
    }

    /// The status of a fleet.
    public static FleetStatus of(Fleet fleet, Service service, Moment now) {
        return new FleetReading(fleet, service, now).status();
    }

    /// As programs have it.
    public String state() {
        return condition.name().toLowerCase(Locale.ROOT);
    }

    /// Whether the service takes requests with enough workers.
    public boolean isReady() {
        return condition == Condition.READY;
    }

    /// For people: what matters first, then tables.
    public String text() {
        return new StatusText(this).text();
    }

    /// For people, in one line: whether it is ready, and why not.
    public String line() {
        return isReady() ? "ready\n" : "not ready: " + String.join("; ", reasons) + "\n";
    }

    /// For programs: one JSON object and a newline.
    public String json() {
        return new StatusJson(this).text();
    }
}
