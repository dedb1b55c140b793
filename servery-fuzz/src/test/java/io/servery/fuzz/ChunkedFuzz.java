package io.servery.fuzz;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// Any bytes as chunked content: the same judgement as `ConnectionFuzz`, behind a head that is always sound.
class ChunkedFuzz {
    private static final byte[] HEAD = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            .getBytes(US_ASCII);

    @FuzzTest
    void chunked(byte[] bytes) {
        byte[] message = new byte[HEAD.length + bytes.length];
        System.arraycopy(HEAD, 0, message, 0, HEAD.length);
        System.arraycopy(bytes, 0, message, HEAD.length, bytes.length);
        new ConnectionFuzz().connection(message);
    }
}
