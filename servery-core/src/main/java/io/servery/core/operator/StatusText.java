package io.servery.core.operator;

import io.servery.core.operator.FleetStatus.WorkerStatus;
import java.util.List;
import java.util.stream.Stream;

/// A status for people.
///
///     ready       generation 3, up 2d 03:04:05
///     listeners   127.0.0.1:8000
///
///     slot   pid  generation  state       age  connections
///        0  4711           3  ready  03:04:05           17
///
///     limit            worker  2 workers  3 while one is replaced
///     max_connections     256        512                      768
final class StatusText {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
    private static final int SECONDS_OF_DAY = 86_400;

    private final FleetStatus status;

    StatusText(FleetStatus status) {
        this.status = status;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        Table head = new Table("<<");
        head.row(List.of(status.state(), "generation " + status.generation() + ", up " + age(status.uptimeSeconds())));
        status.reasons().forEach(reason -> head.row(List.of(status.isReady() ? "note" : "why", reason)));
        status.listeners().forEach(listener -> head.row(List.of("listener", listener)));
        status.redirects().forEach(redirect -> head.row(List.of("redirect", redirect)));
        status.certificates().forEach(certificate -> head.row(List.of("certificate",
                "until " + certificate.notAfter() + " for " + String.join(" ", certificate.names()) + ", by "
                        + certificate.issuer()
                        + certificate.nextAttempt().map(at -> ", next attempt at " + at).orElse(""))));
        text.append(head.text());
        if (!status.workers().isEmpty()) {
            text.append('\n').append(workers().text());
        }
        return text.append('\n').append(limits().text()).toString();
    }

    private Table workers() {
        Table table = new Table(">>><>>");
        table.row(List.of("slot", "pid", "generation", "state", "age", "connections"));
        for (WorkerStatus worker : status.workers()) {
            boolean process = worker.pid().isPresent();
            table.row(List.of(Integer.toString(worker.slot()), process ? "" + worker.pid().getAsLong() : "-",
                    Integer.toString(worker.generation()), worker.state().label(),
                    process ? age(worker.ageSeconds()) : "-", process ? "" + worker.connections() : "-"));
        }
        return table;
    }

    private Table limits() {
        int workers = status.limits().workers();
        Table table = new Table("<>>>");
        table.row(List.of("limit", "worker", workers == 1 ? "1 worker" : workers + " workers",
                (workers + 1) + " while one is replaced"));
        for (WorkerLimits.Limit limit : status.limits().limits()) {
            table.row(Stream.concat(Stream.of(limit.key()),
                    Stream.of(1, workers, workers + 1).map(times -> product(limit, times))).toList());
        }
        return table;
    }

    private static String product(WorkerLimits.Limit limit, int times) {
        long product = limit.value() * times;
        return switch (limit.unit()) {
            case COUNT -> product == 0 ? "none" : Long.toString(product);
            case BYTES -> product == 0 ? "0 B" : bytes(product);
        };
    }

    /// In the largest unit in which it is a whole number.
    private static String bytes(long bytes) {
        int unit = 0;
        long number = bytes;
        while (unit < UNITS.length - 1 && number % 1024 == 0) {
            number /= 1024;
            unit++;
        }
        return number + " " + UNITS[unit];
    }

    static String age(long seconds) {
        long days = seconds / SECONDS_OF_DAY;
        String clock = String.format(java.util.Locale.ROOT, "%02d:%02d:%02d", seconds % SECONDS_OF_DAY / 3600,
                seconds % 3600 / 60, seconds % 60);
        return days == 0 ? clock : days + "d " + clock;
    }
}
