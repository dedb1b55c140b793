package io.servery.http.http1;

import io.servery.http.semantics.HttpDate;
import java.nio.charset.StandardCharsets;

/// The `Date` field line (RFC 9110 §6.6.1), made anew when the second changes.
///
/// *Owner:* one event loop.
final class DateLine {
    private static final byte[] NAME = "Date: ".getBytes(StandardCharsets.US_ASCII);

    private final byte[] line = new byte[NAME.length + HttpDate.LENGTH + 2];
    private long second = Long.MIN_VALUE;

    DateLine() {
        System.arraycopy(NAME, 0, line, 0, NAME.length);
        line[line.length - 2] = '\r';
        line[line.length - 1] = '\n';
    }

    /// The line with its CRLF for this time; the array is overwritten by the next call.
    byte[] at(long epochMillis) {
        long now = Math.floorDiv(epochMillis, 1000);
        if (now != second) {
            HttpDate.write(now, line, NAME.length);
            second = now;
        }
        return line;
    }
}
