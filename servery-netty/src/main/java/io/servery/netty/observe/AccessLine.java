package io.servery.netty.observe;

import io.servery.http.semantics.HttpDate;
import io.servery.http.exchange.RequestHead;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Lines of the Common Log Format, gathered in one array: `client - - [time] "request" status bytes`.
///
/// The query is left out. Every byte of the peer that is not visible ASCII, and `"` and `\`, is written as `\xHH`, so a
/// line is one line and nothing in it was made to look like another.
///
/// *Owner:* one event loop.
final class AccessLine {
    /// A record is at most so long; a longer target is cut, which ends in `...`.
    static final int RECORD_BYTES_MAX = 4096;

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int OTHER_PARTS_BYTES = 256;

    private byte[] bytes;
    private int length;
    private int records;
    private long second = Long.MIN_VALUE;
    /// `06/Nov/1994:08:49:37 +0000`.
    private final byte[] time = "--/---/----:--:--:-- +0000".getBytes(StandardCharsets.US_ASCII);
    /// The same as an HTTP date, `Sun, 06 Nov 1994 08:49:37 GMT`, which no locale has to be loaded for.
    private final byte[] date = new byte[HttpDate.LENGTH];

    AccessLine(int bytesInitial) {
        this.bytes = new byte[bytesInitial];
    }

    int length() {
        return length;
    }

    int records() {
        return records;
    }

    /// Takes away what was gathered.
    byte[] take() {
        byte[] taken = Arrays.copyOf(bytes, length);
        length = 0;
        records = 0;
        return taken;
    }

    void append(SocketAddress peer, RequestHead head, int status, long contentBytes) {
        if (bytes.length - length < RECORD_BYTES_MAX) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + RECORD_BYTES_MAX));
        }
        records++;
        text(peer instanceof InetSocketAddress tcp ? tcp.getAddress().getHostAddress() : "unix");
        text(" - - [");
        time();
        text("] \"");
        request(head);
        text("\" ");
        number(status);
        put((byte) ' ');
        number(contentBytes);
        put((byte) '\n');
    }

    private void request(RequestHead head) {
        if (head.targetLength() == 0) {
            put((byte) '-'); // the request line itself was refused
            return;
        }
        text(head.methodToken());
        put((byte) ' ');
        byte[] source = head.bytes();
        int end = head.targetStart() + head.targetLength();
        int limit = length + RECORD_BYTES_MAX - OTHER_PARTS_BYTES;
        for (int i = head.targetStart(); i < end && source[i] != '?'; i++) {
            if (length >= limit) {
                text("...");
                break;
            }
            escaped(source[i]);
        }
        put((byte) ' ');
        text(head.version().toString());
    }

    private void escaped(byte b) {
        if (b > ' ' && b < 0x7f && b != '"' && b != '\\') {
            put(b);
            return;
        }
        put((byte) '\\');
        put((byte) 'x');
        put(HEX[b >> 4 & 0xf]);
        put(HEX[b & 0xf]);
    }

    private void time() {
        long now = Math.floorDiv(System.currentTimeMillis(), 1000);
        if (now != second) {
            second = now;
            HttpDate.write(now, date, 0);
            System.arraycopy(date, 5, time, 0, 2);
            System.arraycopy(date, 8, time, 3, 3);
            System.arraycopy(date, 12, time, 7, 4);
            System.arraycopy(date, 17, time, 12, 8);
        }
        System.arraycopy(time, 0, bytes, length, time.length);
        length += time.length;
    }

    private void number(long value) {
        if (value >= 10) {
            number(value / 10);
        }
        put((byte) ('0' + value % 10));
    }

    private void text(String ascii) {
        for (int i = 0; i < ascii.length(); i++) {
            put((byte) ascii.charAt(i));
        }
    }

    private void put(byte b) {
        bytes[length++] = b;
    }
}
