package io.servery.interop.load;

import io.servery.interop.Answer;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/// A large file taken slowly; every byte of it is looked at.
final class DownloadClient extends Client {
    private static final int RECEIVE_BUFFER_BYTES = 64 * 1024;
    private static final int STEP_BYTES = 64 * 1024;
    private static final int STEP_MILLIS = 8;

    DownloadClient(Target target, Tally tally, long seed) {
        super(Kind.DOWNLOAD, target, tally, seed);
    }

    @Override
    void round() throws Broken, Crossed {
        Visit visit = visiting() ? visit() : enter(Visit.open(target, RECEIVE_BUFFER_BYTES, Paced::new));
        visit.request("GET " + Target.LARGE + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        Answer answer = visit.answer();
        if (!Arrays.equals(Target.digest(answer.body()), target.largeDigest())) {
            throw new Broken(Lost.What.WRONG, "the content of " + Target.LARGE + " is not what the file has: "
                    + answer.status() + " with " + answer.body().length + " bytes");
        }
        expect(answer, 200, null);
        if (answer.closes()) {
            end(visit);
        } else {
            think(0, 100);
        }
    }

    /// Takes some, then waits.
    private static final class Paced extends FilterInputStream {
        private int taken;

        Paced(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int count = super.read(buffer, offset, length);
            taken += Math.max(0, count);
            if (taken >= STEP_BYTES) {
                taken = 0;
                pause(STEP_MILLIS);
            }
            return count;
        }
    }
}
