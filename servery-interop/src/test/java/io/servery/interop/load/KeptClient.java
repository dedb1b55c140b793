package io.servery.interop.load;

import io.servery.interop.Answer;

/// Request after request on one connection, one or eight in a write, with short or long pauses between.
final class KeptClient extends Client {
    private static final String REQUEST = "GET " + Target.SMALL + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final int DEPTH = 8;
    private static final int BUSY_MILLIS_MAX = 40;
    private static final int IDLE_MILLIS_MIN = 200;
    private static final int IDLE_MILLIS_MAX = 1_500;

    KeptClient(Kind kind, Target target, Tally tally, long seed) {
        super(kind, target, tally, seed);
    }

    @Override
    void round() throws Broken, Crossed {
        Visit visit = visit();
        int depth = kind == Kind.PIPELINED ? DEPTH : 1;
        visit.request(REQUEST.repeat(depth));
        Answer answer = visit.answer();
        expect(answer, 200, target.small());
        for (int i = 1; i < depth && !answer.closes(); i++) {
            answer = visit.furtherAnswer();
            expect(answer, 200, target.small());
        }
        if (answer.closes()) {
            end(visit);
        } else if (kind == Kind.IDLE) {
            think(IDLE_MILLIS_MIN, IDLE_MILLIS_MAX);
        } else {
            think(0, BUSY_MILLIS_MAX);
        }
    }
}
