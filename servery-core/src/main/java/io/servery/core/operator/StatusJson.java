package io.servery.core.operator;

import io.servery.core.operator.FleetStatus.ShownCertificate;
import io.servery.core.operator.FleetStatus.WorkerStatus;
import java.util.List;
import java.util.stream.Collectors;

/// A status for programs. Keys are only ever added.
final class StatusJson {
    private final FleetStatus status;

    StatusJson(FleetStatus status) {
        this.status = status;
    }

    String text() {
        return "{\"state\":" + quoted(status.state()) + ",\"ready\":" + status.isReady() + ",\"reasons\":"
                + strings(status.reasons()) + ",\"generation\":" + status.generation() + ",\"uptime_seconds\":"
                + status.uptimeSeconds() + ",\"workers\":"
                + status.workers().stream().map(StatusJson::worker).collect(Collectors.joining(",", "[", "]"))
                + ",\"listeners\":" + strings(status.listeners()) + ",\"redirects\":"
                + strings(status.redirects()) + ",\"certificates\":"
                + status.certificates().stream().map(StatusJson::certificate).collect(Collectors.joining(",", "[", "]"))
                + "}\n";
    }

    private static String certificate(ShownCertificate certificate) {
        return "{\"names\":" + strings(certificate.names()) + ",\"not_after\":"
                + quoted(certificate.notAfter().toString()) + ",\"issuer\":" + quoted(certificate.issuer())
                + ",\"next_attempt\":"
                + certificate.nextAttempt().map(at -> quoted(at.toString())).orElse("null") + "}";
    }

    private static String worker(WorkerStatus worker) {
        return "{\"slot\":" + worker.slot() + ",\"pid\":"
                + (worker.pid().isPresent() ? Long.toString(worker.pid().getAsLong()) : "null") + ",\"generation\":"
                + worker.generation() + ",\"state\":" + quoted(worker.state().label()) + ",\"age_seconds\":"
                + worker.ageSeconds() + ",\"connections\":" + worker.connections() + "}";
    }

    private static String strings(List<String> values) {
        return values.stream().map(StatusJson::quoted).collect(Collectors.joining(",", "[", "]"));
    }

    /// RFC 8259 section 7. What a terminal could take for an order is escaped too.
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int at = 0; at < text.length(); at++) {
            char one = text.charAt(at);
            if (one == '"' || one == '\\') {
                quoted.append('\\').append(one);
            } else if (one < ' ' || one > '~') {
                quoted.append(String.format(java.util.Locale.ROOT, "\\u%04x", (int) one));
            } else {
                quoted.append(one);
            }
        }
        return quoted.append('"').toString();
    }
}
