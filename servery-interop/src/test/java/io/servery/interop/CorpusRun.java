package io.servery.interop;

import io.servery.core.reason.Reason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/// One sending of one case, on a connection of its own, judged against its expectation.
///
/// The client reads while it sends, as every client does: a server may answer and stop reading before the last byte.
final class CorpusRun {
    /// The request that finds out whether a connection is kept, and in step.
    static final String PROBE = "GET /1k.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    private static final Set<String> REASONS = Arrays.stream(Reason.values()).map(Reason::code)
            .collect(Collectors.toUnmodifiableSet());
    private static final List<String> TRACES = List.of("\tat ", "at io.", "at java.", "Exception", "Caused by");

    /// Refusals of the connection itself: nothing after them is ever answered, and they say so (RFC 9112 §9.6).
    private static final Set<Integer> CLOSING = Set.of(400, 408, 413, 414, 431, 505);
    /// Lets most pieces reach the server in a read of their own; nothing depends on it.
    private static final long APART_NANOS = 20_000;

    private final Expectation expectation;
    private final WireConnection connection;
    private final List<String> heard = new ArrayList<>();
    private int lastStatus;

    private CorpusRun(Expectation expectation, WireConnection connection) {
        this.expectation = expectation;
        this.connection = connection;
    }

    /// Sends the pieces one by one and returns what came back, in a form that is the same for every way of cutting.
    static String send(int port, Expectation expectation, List<byte[]> pieces) {
        try (WireConnection connection = WireConnection.open(port)) {
            Thread writer = Thread.startVirtualThread(() -> write(connection, pieces, expectation.halfClose()));
            var run = new CorpusRun(expectation, connection);
            run.answers();
            run.join(writer);
            run.ending();
            return String.join("\n----\n", run.heard);
        }
    }

    private static void write(WireConnection connection, List<byte[]> pieces, boolean halfClose) {
        for (byte[] piece : pieces) {
            if (!connection.trySend(piece)) {
                return;
            }
            LockSupport.parkNanos(APART_NANOS);
        }
        if (halfClose) {
            connection.halfClose();
        }
    }

    private void join(Thread writer) {
        try {
            if (!writer.join(WireConnection.PATIENCE)) {
                throw new AssertionError("the server neither reads the rest of the request nor closes");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void answers() {
        var left = new ArrayList<>(expectation.answers());
        while (!left.isEmpty()) {
            Heard next = connection.hear(left.getFirst().head());
            while (!left.isEmpty() && left.getFirst().optional() && !fits(left.getFirst(), next)) {
                left.removeFirst();
            }
            if (left.isEmpty()) {
                requireFin(next);
                return;
            }
            if (!(next instanceof Answer answer)) {
                throw complaint("expected " + left.getFirst().statuses(), next);
            }
            judge(left.removeFirst(), answer);
        }
    }

    private static boolean fits(Expectation.Expected expected, Heard heard) {
        return heard instanceof Answer answer && expected.statuses().contains(answer.status());
    }

    private void judge(Expectation.Expected expected, Answer answer) {
        if (!expected.statuses().contains(answer.status())) {
            throw complaint("expected status " + expected.statuses(), answer);
        }
        judgeReason(expected, answer);
        for (var demand : expected.demands()) {
            demand.complaint(answer).ifPresent(complaint -> {
                throw complaint(complaint, answer);
            });
        }
        expected.body().ifPresent(body -> {
            if (!Arrays.equals(body, answer.body())) {
                throw complaint("expected the body " + new String(body, StandardCharsets.ISO_8859_1) + ", found "
                        + answer.text(), answer);
            }
        });
        judgeSilence(answer);
        lastStatus = answer.status();
        if (!expected.optional()) {
            heard.add(answer.repeatable());
        }
    }

    /// A refused response says why (local profile), with a word of the vocabulary and nothing else.
    private void judgeReason(Expectation.Expected expected, Answer answer) {
        List<String> reasons = answer.values("Servery-Reason");
        if (answer.status() < 400) {
            if (!reasons.isEmpty()) {
                throw complaint("Servery-Reason on an answer that refuses nothing", answer);
            }
        } else if (reasons.size() != 1 || !REASONS.contains(reasons.getFirst())) {
            throw complaint("expected one Servery-Reason of the vocabulary", answer);
        } else if (!expected.reasons().isEmpty() && !expected.reasons().contains(reasons.getFirst())) {
            throw complaint("expected reason " + expected.reasons(), answer);
        }
    }

    private void judgeSilence(Answer answer) {
        String all = new String(answer.head(), StandardCharsets.ISO_8859_1)
                + new String(answer.body(), StandardCharsets.ISO_8859_1);
        for (String forbidden : expectation.forbidden()) {
            if (all.contains(forbidden)) {
                throw complaint("found the forbidden text " + forbidden, answer);
            }
        }
        if (answer.status() >= 400) {
            for (String trace : TRACES) {
                if (answer.text().contains(trace)) {
                    throw complaint("found a trace of our code in the answer: " + answer.text(), answer);
                }
            }
        }
        if (CLOSING.contains(answer.status()) && !answer.closes()) {
            throw complaint("expected Connection: close before the connection is closed (RFC 9112 §9.6)", answer);
        }
    }

    private void ending() {
        switch (CLOSING.contains(lastStatus) ? Expectation.Then.CLOSE : expectation.then()) {
            case CLOSE -> requireFin(connection.hear());
            case KEEP -> {
                connection.trySend(PROBE);
                requireProbed(connection.hear());
            }
            case EITHER -> {
                connection.trySend(PROBE);
                Heard next = connection.hear();
                if (next instanceof Answer) {
                    requireProbed(next);
                } else if (next instanceof Heard.Cut || next == Heard.Ending.SILENCE) {
                    throw complaint("expected the connection kept or closed", next);
                }
            }
        }
    }

    private void requireProbed(Heard next) {
        if (!(next instanceof Answer answer) || answer.status() != 200
                || !Arrays.equals(answer.body(), Site.pattern(1024, 1))) {
            throw complaint("expected the connection kept, and the next request on it answered with its file", next);
        }
        requireFin(connection.hear());
    }

    private void requireFin(Heard next) {
        if (next != Heard.Ending.FIN) {
            throw complaint("expected an orderly end (FIN) and nothing before it", next);
        }
    }

    private AssertionError complaint(String what, Heard next) {
        return new AssertionError("%s; found %s%nheard before: %s%n%s: %s".formatted(what,
                WireConnection.describe(next), heard, expectation.section(), expectation.about()));
    }
}
