package io.servery.interop.load;

import io.servery.interop.Answer;

/// A request whose content comes a byte at a time. Files take no content: the answer is 405, and whole.
final class SlowPostClient extends Client {
    private static final int CONTENT_BYTES = 40;

    SlowPostClient(Target target, Tally tally, long seed) {
        super(Kind.SLOW_POST, target, tally, seed);
    }

    @Override
    void round() throws Broken, Crossed {
        Visit visit = visit();
        visit.request("POST " + Target.SMALL + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + CONTENT_BYTES
                + "\r\n\r\n");
        for (int i = 0; i < CONTENT_BYTES; i++) {
            pause(random.nextInt(1, 20));
            visit.send("x");
        }
        Answer answer = visit.answer();
        expect(answer, 405, null);
        if (answer.closes()) {
            end(visit);
        } else {
            leave();
        }
    }
}
