package io.servery.netty.worker.link;

import io.servery.core.control.Bounds;
import io.servery.supervisor.channel.Poller;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// The pipe from the parent on standard input: one line, the token; then nothing, until its end says that the parent is gone.
///
/// *Owner*: the control thread.
final class ParentInput implements Poller.Watched {
    private static final int STANDARD_INPUT = 0;

    private final InputStream in;
    private final Consumer<String> gone;
    private boolean ended;

    /// @param in standard input without a buffer
    /// @param gone told once, in words, when the pipe has ended
    ParentInput(InputStream in, Consumer<String> gone) {
        this.in = in;
        this.gone = gone;
    }

    /// Reads the token. Waits for it.
    ///
    /// @throws IOException when the first line is none
    static String token(InputStream in) throws IOException {
        StringBuilder token = new StringBuilder();
        int next = in.read();
        while (next >= 0 && next != '\n' && token.length() < Bounds.TOKEN_BYTES_MAX) {
            token.append((char) next);
            next = in.read();
        }
        if (next != '\n' || token.isEmpty() || !StandardCharsets.US_ASCII.newEncoder().canEncode(token)) {
            throw new IOException("standard input: found " + token.length() + " bytes and "
                    + (next < 0 ? "its end" : "no end of the line") + "; expected the token of the parent, at most "
                    + Bounds.TOKEN_BYTES_MAX + " bytes of ASCII, and a line feed");
        }
        return token.toString();
    }

    boolean ended() {
        return ended;
    }

    @Override
    public int descriptor() {
        return STANDARD_INPUT;
    }

    @Override
    public void ready(boolean readable, boolean writable) {
        try {
            if (in.read() >= 0) {
                return; // more than the token: nobody asked for it
            }
            end("the parent closed the standard input of this worker");
        } catch (IOException e) {
            end("standard input: " + e.getMessage());
        }
    }

    private void end(String how) {
        ended = true;
        gone.accept(how);
    }
}
