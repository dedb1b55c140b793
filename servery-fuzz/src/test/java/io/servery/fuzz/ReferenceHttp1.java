package io.servery.fuzz;

import io.servery.fuzz.Wire.Seen;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// HTTP/1.1 requests read from a whole text by regular expressions, from RFC 9112, RFC 9110 and the threat model's stricter
/// rows: what a connection must have made of the bytes, however they arrived.
final class ReferenceHttp1 {
    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
    // Loops over alternatives are possessive: the others recurse once a character, and long lines overflow the stack.
    private static final Pattern REQUEST_LINE = Pattern.compile("(" + TOKEN + ") ([^ ]+) (HTTP/([0-9])\\.([0-9]))");
    private static final Pattern TARGET = Pattern.compile("[\\x21-\\x7e&&[^\"#<>\\\\]]+");
    private static final Pattern FIELD = Pattern.compile("(" + TOKEN + "):[ \\t]*(.*?)[ \\t]*", Pattern.DOTALL);
    private static final Pattern CONTROLS = Pattern.compile("[\\x00-\\x08\\x0a-\\x1f\\x7f]");
    private static final Pattern HOST = Pattern
            .compile("(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})++(?::([0-9]*))?");
    private static final String QUOTED = "\"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t \\x21-\\x7e\\x80-\\xff])*+\"";
    private static final Pattern CHUNK_LINE = Pattern.compile("([0-9A-Fa-f]+)((?:[ \\t]*;[ \\t]*" + TOKEN
            + "(?:[ \\t]*=[ \\t]*(?:" + TOKEN + "|" + QUOTED + "))?)*+)");
    private static final Pattern LIST_OF_TOKENS = Pattern.compile("[ \\t,]*(?:" + TOKEN + "[ \\t]*(?:,[ \\t,]*|$))*+");

    /// What must have come of the bytes.
    ///
    /// @param requests those that a handler must have seen
    /// @param refusals the statuses that may have ended the connection after them; empty when nothing may be refused
    /// @param certain whether the end is known: false where this reader leaves a target or a prefix to the server
    record Expected(List<Seen> requests, Set<Integer> refusals, boolean closes, boolean certain) {
    }

    private final String text;
    private final boolean inputEnds;
    private final List<Seen> requests = new ArrayList<>();
    private int at;

    private ReferenceHttp1(String text, boolean inputEnds) {
        this.text = text;
        this.inputEnds = inputEnds;
    }

    static Expected read(String text, boolean inputEnds) {
        return new ReferenceHttp1(text, inputEnds).all();
    }

    private Expected all() {
        while (true) {
            Expected end = one();
            if (end != null) {
                return end;
            }
        }
    }

    private Expected end(Set<Integer> refusals, boolean closes, boolean certain) {
        return new Expected(List.copyOf(requests), refusals, closes, certain);
    }

    private Expected refused(Integer... statuses) {
        return end(Set.of(statuses), true, true);
    }

    /// Reads one request; null when another may follow.
    private @Nullable Expected one() {
        if (text.startsWith("\r\n", at)) {
            at += 2;
        }
        if (at == text.length() || text.substring(at).equals("\r")) {
            return end(Set.of(), inputEnds && at == text.length(), at == text.length());
        }
        int headEnd = text.indexOf("\r\n\r\n", at);
        if (headEnd < 0 || headEnd + 4 - at > Wire.LIMITS.headBytesMax()) {
            return unfinishedHead();
        }
        String[] lines = text.substring(at, headEnd).split("\r\n", -1);
        at = headEnd + 4;
        Set<Integer> problems = new TreeSet<>();
        Matcher line = REQUEST_LINE.matcher(lines[0]);
        List<String[]> fields = fields(lines, problems);
        if (CONTROLS.matcher(lines[0]).find() || !line.matches()) {
            problems.addAll(Set.of(400, 414, 501, 431, 505));
            return end(problems, true, true);
        }
        judgeLine(line, problems);
        return problems.isEmpty() ? judged(line, fields) : end(problems, true, true);
    }

    /// The server refuses at the first wrong byte; this reader only says that no request may be made of it.
    private Expected unfinishedHead() {
        Set<Integer> any = new TreeSet<>(Set.of(400, 414, 431, 501, 505));
        boolean must = inputEnds || text.length() - at > Wire.LIMITS.headBytesMax();
        return end(any, must, must);
    }

    private static List<String[]> fields(String[] lines, Set<Integer> problems) {
        List<String[]> fields = new ArrayList<>();
        for (int i = 1; i < lines.length; i++) {
            Matcher field = FIELD.matcher(lines[i]);
            if (CONTROLS.matcher(lines[i]).find() || !field.matches()) {
                problems.add(400);
            } else {
                fields.add(new String[]{field.group(1), field.group(2)});
            }
        }
        if (lines.length - 1 > Wire.LIMITS.fieldsMax()) {
            problems.add(431);
        }
        return fields;
    }

    private static void judgeLine(Matcher line, Set<Integer> problems) {
        if (line.group(1).length() > 32) {
            problems.add(501);
        }
        if (line.group(2).length() > Wire.LIMITS.targetBytesMax()) {
            problems.add(414);
        }
        if (!line.group(4).equals("1") || line.group(5).charAt(0) > '1') {
            problems.add(505);
        }
        if (!TARGET.matcher(line.group(2)).matches()) {
            problems.add(400);
        }
    }

    private @Nullable Expected judged(Matcher line, List<String[]> fields) {
        String method = line.group(1);
        String target = line.group(2);
        boolean http11 = line.group(5).equals("1");
        Set<Integer> problems = new TreeSet<>();
        boolean certain = true;
        String path = "/";
        if (target.startsWith("/") && !method.equals("CONNECT")) {
            path = ReferencePath.decode(target.split("\\?", 2)[0]);
            if (path == null) {
                problems.add(400);
            }
        } else if (!target.equals("*") || !method.equals("OPTIONS")) {
            certain = false;
        }
        List<String> hosts = values(fields, "host");
        if (hosts.size() > 1 || hosts.isEmpty() && http11) {
            problems.add(400);
        } else if (!hosts.isEmpty()) {
            certain &= !hosts.get(0).startsWith("[");
            if (!hosts.get(0).startsWith("[") && !validHost(hosts.get(0))) {
                problems.add(400);
            }
        }
        if (!values(fields, "sec-websocket-key1").isEmpty() || !values(fields, "sec-websocket-key2").isEmpty()) {
            problems.add(400);
        }
        String framing = framing(fields, http11, problems);
        judgeExpectation(fields, http11, problems);
        if (!problems.isEmpty()) {
            if (!certain) {
                problems.add(400); // the target or the host, which this reader leaves open, may be wrong as well
            }
            return end(problems, true, true);
        }
        if (!certain || path == null) {
            return end(Set.of(400), false, false);
        }
        return content(new Seen(method, target, line.group(3), join(fields), path, ""), framing,
                keepsAlive(fields, http11));
    }

    private static boolean validHost(String host) {
        Matcher match = HOST.matcher(host);
        if (!match.matches() || host.length() > 255) {
            return false;
        }
        String port = match.group(1);
        return port == null || port.isEmpty() || new BigInteger(port).compareTo(BigInteger.valueOf(65_535)) <= 0;
    }

    /// The length, `chunked`, or anything when there is a problem.
    private static String framing(List<String[]> fields, boolean http11, Set<Integer> problems) {
        List<String> codings = values(fields, "transfer-encoding");
        List<String> lengths = values(fields, "content-length");
        if (!codings.isEmpty()) {
            if (!http11 || !lengths.isEmpty()) {
                problems.add(400);
            } else if (codings.size() > 1 || !codings.get(0).equalsIgnoreCase("chunked")) {
                problems.addAll(Set.of(400, 501));
            }
            return "chunked";
        }
        if (lengths.isEmpty()) {
            return "0";
        }
        String length = lengths.get(0);
        if (lengths.size() > 1 || !length.matches("[0-9]+")) {
            problems.add(400);
        } else if (new BigInteger(length).compareTo(BigInteger.valueOf(Wire.LIMITS.bodyBytesMax())) > 0
                || length.length() > 18) {
            problems.add(413);
        }
        return length;
    }

    private static void judgeExpectation(List<String[]> fields, boolean http11, Set<Integer> problems) {
        for (String expectation : values(fields, "expect")) {
            if (http11 && !expectation.equalsIgnoreCase("100-continue")) {
                problems.add(417);
            }
        }
    }

    private static boolean keepsAlive(List<String[]> fields, boolean http11) {
        boolean keeps = http11;
        for (String line : values(fields, "connection")) {
            if (!LIST_OF_TOKENS.matcher(line).matches()) {
                return false;
            }
            keeps |= hasOption(line, "keep-alive");
        }
        for (String line : values(fields, "connection")) {
            keeps &= !hasOption(line, "close");
        }
        return keeps;
    }

    private static boolean hasOption(String line, String option) {
        for (String member : line.split(",", -1)) {
            if (member.strip().equalsIgnoreCase(option)) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Expected content(Seen head, String framing, boolean keepsAlive) {
        StringBuilder content = new StringBuilder();
        if (framing.equals("chunked")) {
            Expected end = chunks(content);
            if (end != null) {
                return end;
            }
        } else {
            int length = Integer.parseInt(framing);
            if (text.length() - at < length) {
                return inputEnds ? refused(400) : end(Set.of(), false, true);
            }
            content.append(text, at, at + length);
            at += length;
        }
        requests.add(new Seen(head.method(), head.target(), head.version(), head.fields(), head.path(),
                content.toString()));
        return keepsAlive ? null : end(Set.of(), true, true);
    }

    private @Nullable Expected chunks(StringBuilder content) {
        int extensions = 0;
        while (true) {
            String line = line();
            if (line == null) {
                return unfinishedContent();
            }
            Matcher chunk = CHUNK_LINE.matcher(line);
            if (!chunk.matches() || line.length() > 256) {
                return refused(400);
            }
            extensions += chunk.group(2).length();
            if (extensions > 16 * 1024) {
                return refused(400);
            }
            BigInteger size = new BigInteger(chunk.group(1), 16);
            if (size.signum() == 0) {
                return trailers();
            }
            if (size.compareTo(BigInteger.valueOf(Wire.LIMITS.bodyBytesMax() - content.length())) > 0) {
                return refused(413);
            }
            int end = at + size.intValue();
            if (text.length() < end) {
                return unfinishedContent();
            }
            content.append(text, at, end);
            at = end;
            if (text.length() < end + 2) {
                return unfinishedContent();
            }
            if (!text.startsWith("\r\n", at)) {
                return refused(400);
            }
            at += 2;
        }
    }

    private @Nullable Expected trailers() {
        int count = 0;
        int bytes = 0;
        while (true) {
            String line = line();
            if (line == null) {
                return unfinishedContent();
            }
            bytes += line.length() + 1;
            if (bytes > 8 * 1024) {
                return refused(400, 431);
            }
            if (line.isEmpty()) {
                return null;
            }
            if (++count > 32) {
                return refused(400, 431);
            }
            if (CONTROLS.matcher(line).find() || !FIELD.matcher(line).matches()) {
                return refused(400);
            }
        }
    }

    /// Up to the next CRLF, which is taken; null when there is none.
    private @Nullable String line() {
        int end = text.indexOf("\r\n", at);
        if (end < 0) {
            return null;
        }
        String line = text.substring(at, end);
        at = end + 2;
        return line;
    }

    private Expected unfinishedContent() {
        return end(Set.of(400, 413, 431), inputEnds, inputEnds);
    }

    private static List<String> values(List<String[]> fields, String name) {
        List<String> values = new ArrayList<>();
        for (String[] field : fields) {
            if (field[0].equalsIgnoreCase(name)) {
                values.add(field[1]);
            }
        }
        return values;
    }

    private static List<String> join(List<String[]> fields) {
        return fields.stream().map(field -> field[0] + ": " + field[1]).toList();
    }
}
