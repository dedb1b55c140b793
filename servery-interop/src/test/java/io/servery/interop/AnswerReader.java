package io.servery.interop;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/// A client's strict reading of HTTP/1.1 responses (RFC 9112): whatever a sender must not send is an error here.
///
/// *Not here*: tolerance. A lenient client hides the defects that this one is for.
public final class AnswerReader {
    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.1 ([1-5][0-9][0-9]) [\\t\\x20-\\x7E]*");
    private static final Pattern FIELD_LINE = Pattern
            .compile(
                    "([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \\t]*((?:[\\x21-\\x7E](?:[\\t\\x20-\\x7E]*[\\x21-\\x7E])?)?)[ \\t]*");
    private static final Pattern CHUNK_SIZE = Pattern.compile("[0-9A-Fa-f]{1,8}");
    private static final DateTimeFormatter IMF_FIXDATE = DateTimeFormatter
            .ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT).withZone(java.time.ZoneOffset.UTC);
    private static final int HEAD_BYTES_MAX = 64 * 1024;

    private final InputStream in;
    private ByteArrayOutputStream head = new ByteArrayOutputStream();
    private ByteArrayOutputStream body = new ByteArrayOutputStream();

    public AnswerReader(InputStream in) {
        this.in = new BufferedInputStream(in, 16 * 1024);
    }

    /// The next message, or how the connection ended.
    ///
    /// @param toHead whether the message answers HEAD, so that fields describe a content that does not follow
    public Heard next(boolean toHead) {
        head = new ByteArrayOutputStream();
        body = new ByteArrayOutputStream();
        try {
            return message(toHead);
        } catch (EndOfStream e) {
            return ended(Heard.Ending.FIN);
        } catch (SocketTimeoutException e) {
            return ended(Heard.Ending.SILENCE);
        } catch (SocketException | SSLException e) {
            return ended(Heard.Ending.RESET);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Heard ended(Heard.Ending ending) {
        return head.size() == 0 ? ending : new Heard.Cut(head.toByteArray(), body.toByteArray(), ending);
    }

    private Answer message(boolean toHead) throws IOException {
        var status = STATUS_LINE.matcher(line(head));
        if (!status.matches()) {
            throw malformed("the status line does not match RFC 9112 §4");
        }
        int code = Integer.parseInt(status.group(1));
        var fields = fields(head);
        checkDate(code, fields);
        content(code, toHead, fields);
        return new Answer(head.toByteArray(), code, List.copyOf(fields), body.toByteArray());
    }

    private List<Answer.Field> fields(ByteArrayOutputStream section) throws IOException {
        var fields = new ArrayList<Answer.Field>();
        for (String line = line(section); !line.isEmpty(); line = line(section)) {
            var field = FIELD_LINE.matcher(line);
            if (!field.matches()) {
                throw malformed("a field line does not match RFC 9112 §5: " + line);
            }
            fields.add(new Answer.Field(field.group(1), field.group(2)));
        }
        return fields;
    }

    private void checkDate(int status, List<Answer.Field> fields) {
        List<String> dates = values(fields, "Date");
        if (dates.size() > 1 || (dates.isEmpty() && status >= 200)) {
            throw malformed("expected exactly one Date (RFC 9110 §6.6.1)");
        }
        for (String date : dates) {
            try {
                ZonedDateTime.parse(date, IMF_FIXDATE);
            } catch (DateTimeException e) {
                throw malformed("Date is not an IMF-fixdate (RFC 9110 §5.6.7): " + e.getMessage());
            }
        }
    }

    /// RFC 9112 §6.3, in its order, as a client reads it.
    private void content(int status, boolean toHead, List<Answer.Field> fields) throws IOException {
        List<String> codings = values(fields, "Transfer-Encoding");
        List<String> lengths = values(fields, "Content-Length");
        boolean never = status < 200 || status == 204;
        if (never && (!codings.isEmpty() || !lengths.isEmpty())) {
            throw malformed("1xx and 204 carry no Content-Length or Transfer-Encoding (RFC 9110 §8.6, RFC 9112 §6.1)");
        }
        if (!codings.isEmpty() && !lengths.isEmpty()) {
            throw malformed("Content-Length beside Transfer-Encoding (RFC 9112 §6.2)");
        }
        if (lengths.size() > 1 || (lengths.size() == 1 && !lengths.getFirst().matches("0|[1-9][0-9]{0,17}"))) {
            throw malformed("Content-Length is not one plain number");
        }
        if (!codings.isEmpty() && !codings.equals(List.of("chunked"))) {
            throw malformed("Transfer-Encoding is not chunked");
        }
        if (never || toHead || status == 304) {
            return;
        }
        if (!codings.isEmpty()) {
            chunks();
        } else if (lengths.size() == 1) {
            exactly(Long.parseLong(lengths.getFirst()));
        } else {
            toTheEnd(fields);
        }
    }

    private void chunks() throws IOException {
        while (true) {
            String size = line(new ByteArrayOutputStream());
            if (!CHUNK_SIZE.matcher(size).matches()) {
                throw malformed("chunk-size does not match RFC 9112 §7.1: " + size);
            }
            int length = Integer.parseUnsignedInt(size, 16);
            if (length == 0) {
                fields(new ByteArrayOutputStream());
                return;
            }
            exactly(length);
            if (!line(new ByteArrayOutputStream()).isEmpty()) {
                throw malformed("chunk-data is not followed by CRLF");
            }
        }
    }

    private void exactly(long length) throws IOException {
        byte[] buffer = new byte[16 * 1024];
        for (long left = length; left > 0;) {
            int count = in.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (count < 0) {
                throw new EndOfStream();
            }
            body.write(buffer, 0, count);
            left -= count;
        }
    }

    private void toTheEnd(List<Answer.Field> fields) throws IOException {
        if (!values(fields, "Connection").contains("close")) {
            throw malformed("content without a length on a connection that is kept (RFC 9112 §6.3)");
        }
        body.writeBytes(in.readAllBytes());
    }

    /// One line without its CRLF; every byte read goes to `record` as well.
    private String line(ByteArrayOutputStream record) throws IOException {
        var line = new StringBuilder();
        while (true) {
            int b = read(record);
            if (b == '\r') {
                if (read(record) != '\n') {
                    throw malformed("bare CR");
                }
                return line.toString();
            }
            if (b == '\n' || b == 0) {
                throw malformed("bare LF or NUL");
            }
            line.append((char) b);
            if (line.length() > HEAD_BYTES_MAX) {
                throw malformed("a line past " + HEAD_BYTES_MAX + " bytes");
            }
        }
    }

    private int read(ByteArrayOutputStream record) throws IOException {
        int b = in.read();
        if (b < 0) {
            throw new EndOfStream();
        }
        record.write(b);
        return b;
    }

    private static List<String> values(List<Answer.Field> fields, String name) {
        return fields.stream().filter(field -> field.is(name)).map(Answer.Field::value).toList();
    }

    private MalformedAnswer malformed(String why) {
        return new MalformedAnswer(why + "; received so far: " + head.toString(StandardCharsets.ISO_8859_1));
    }

    /// The server sent what no server may send.
    public static final class MalformedAnswer extends AssertionError {
        private static final long serialVersionUID = 1;

        MalformedAnswer(String message) {
            super(message);
        }
    }

    private static final class EndOfStream extends IOException {
        private static final long serialVersionUID = 1;
    }
}
