package io.servery.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.servery.http.semantics.EntityTag;
import io.servery.http.semantics.EntityTags;
import io.servery.http.semantics.FieldName;
import io.servery.http.semantics.HttpDate;
import io.servery.http.semantics.Method;
import io.servery.http.semantics.Preconditions;
import io.servery.http.semantics.RequestFields;
import io.servery.http.semantics.Validators;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Any lines as the conditional fields of a request: `If-Match: …`, `If-Range: …`, one a line; dates and entity tags in them
/// (RFC 9110 §13, §8.8.3, §5.6.7).
class ConditionalsFuzz {
    private static final long NOW = 784_111_777; // Sun, 06 Nov 1994 08:49:37 GMT
    private static final Validators CURRENT = new Validators(EntityTag.parse("\"a\""), NOW - 10);
    private static final Pattern TAG = Pattern.compile("(W/)?\"([\\x21\\x23-\\x7e\\x80-\\xff]*)\"");
    private static final Pattern TAG_LIST = Pattern
            .compile("[ \\t,]*(?:" + TAG + "[ \\t]*(?:,[ \\t,]*|$))*");

    private record Lines(List<String[]> lines) implements RequestFields {
        static Lines of(String text) {
            List<String[]> lines = new ArrayList<>();
            for (String line : text.split("\n", -1)) {
                int colon = line.indexOf(':');
                if (colon > 0 && line.chars().skip(colon).allMatch(c -> c >= ' ' && c != 0x7f || c == '\t')) {
                    lines.add(new String[]{line.substring(0, colon),
                            line.substring(colon + 1).replaceAll("^[ \\t]+|[ \\t]+$", "")});
                }
            }
            return new Lines(lines);
        }

        @Override
        public int count(FieldName name) {
            return values(name).size();
        }

        @Override
        public @Nullable String value(FieldName name) {
            List<String> values = values(name);
            return values.isEmpty() ? null : values.getFirst();
        }

        @Override
        public List<String> values(FieldName name) {
            return lines.stream().filter(line -> line[0].equalsIgnoreCase(name.canonical())).map(line -> line[1])
                    .toList();
        }
    }

    @FuzzTest
    void conditionals(byte[] bytes) {
        Lines fields = Lines.of(new String(bytes, ISO_8859_1));
        for (Method method : Method.values()) {
            for (Validators current : new Validators[]{CURRENT, null}) {
                Preconditions.Outcome found = Cost.within(100_000 + 1000L * bytes.length,
                        () -> Preconditions.evaluate(method, fields, current, NOW));
                Invariant.same(ladder(method, fields, current), found, () -> method + " on " + current);
            }
        }
        Invariant.same(rangeApplies(fields), Preconditions.rangeApplies(fields, CURRENT, NOW), () -> "If-Range");
        for (String[] line : fields.lines()) {
            judgeDate(line[1]);
            judgeTags(line[1]);
        }
    }

    /// RFC 9110 §13.2.2, step by step.
    private static Preconditions.Outcome ladder(Method method, Lines fields, @Nullable Validators current) {
        if (method == Method.OPTIONS || method == Method.TRACE || method == Method.CONNECT
                || method == Method.UNKNOWN) {
            return Preconditions.Outcome.PROCEED;
        }
        boolean retrieves = method == Method.GET || method == Method.HEAD || method == Method.QUERY;
        if (fields.count(FieldName.IF_MATCH) > 0) {
            if (!Boolean.TRUE.equals(listed(fields.values(FieldName.IF_MATCH), current, true))) {
                return Preconditions.Outcome.FAILED;
            }
        } else if (current != null && date(fields, FieldName.IF_UNMODIFIED_SINCE) < current.lastModifiedEpochSecond()
                && date(fields, FieldName.IF_UNMODIFIED_SINCE) != HttpDate.INVALID) {
            return Preconditions.Outcome.FAILED;
        }
        if (fields.count(FieldName.IF_NONE_MATCH) > 0) {
            Boolean listed = listed(fields.values(FieldName.IF_NONE_MATCH), current, false);
            if (listed == null) {
                return retrieves ? Preconditions.Outcome.PROCEED : Preconditions.Outcome.FAILED;
            }
            return !listed
                    ? Preconditions.Outcome.PROCEED
                    : retrieves ? Preconditions.Outcome.NOT_MODIFIED : Preconditions.Outcome.FAILED;
        }
        boolean unmodified = retrieves && current != null
                && date(fields, FieldName.IF_MODIFIED_SINCE) >= current.lastModifiedEpochSecond();
        return unmodified ? Preconditions.Outcome.NOT_MODIFIED : Preconditions.Outcome.PROCEED;
    }

    private static long date(Lines fields, FieldName name) {
        List<String> values = fields.values(name);
        return values.size() == 1 ? HttpDate.parse(values.getFirst(), NOW) : HttpDate.INVALID;
    }

    /// Whether the list names the current representation; null when it is no list.
    private static @Nullable Boolean listed(List<String> lines, @Nullable Validators current, boolean strong) {
        if (lines.equals(List.of("*"))) {
            return current != null;
        }
        boolean listed = false;
        for (String line : lines) {
            if (!TAG_LIST.matcher(line).matches()) {
                return null;
            }
            for (Matcher tag = TAG.matcher(line); tag.find();) {
                listed |= current != null && tag.group(2).equals("a") && !(strong && tag.group(1) != null);
            }
        }
        return listed;
    }

    private static boolean rangeApplies(Lines fields) {
        List<String> ifRange = fields.values(FieldName.IF_RANGE);
        if (fields.count(FieldName.RANGE) != 1 || ifRange.size() > 1) {
            return false;
        }
        if (ifRange.isEmpty() || ifRange.getFirst().equals("\"a\"")) {
            return true;
        }
        return HttpDate.parse(ifRange.getFirst(), NOW) == CURRENT.lastModifiedEpochSecond();
    }

    /// A date that can be read can be written, and is then read as the same; the text written is 29 octets.
    private static void judgeDate(String text) {
        long date = Cost.within(100_000 + 1000L * text.length(), () -> HttpDate.parse(text, NOW));
        if (date != HttpDate.INVALID) {
            String written = HttpDate.format(date);
            Invariant.same(HttpDate.LENGTH, written.length(), () -> "length of " + written);
            Invariant.same(date, HttpDate.parse(written, NOW), () -> "date " + text + " again");
            Invariant.same(written, java.time.format.DateTimeFormatter
                    .ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", java.util.Locale.ENGLISH)
                    .format(java.time.Instant.ofEpochSecond(date).atOffset(java.time.ZoneOffset.UTC)),
                    () -> "date " + text);
        }
    }

    private static void judgeTags(String text) {
        EntityTag one = EntityTag.parse(text);
        Invariant.same(TAG.matcher(text).matches(), one != null, () -> "one tag: " + text);
        if (one != null) {
            Invariant.same(text, one.toString(), () -> "tag again");
        }
        if (EntityTag.parseList(List.of(text)) instanceof EntityTags.Listed listed) {
            String again = listed.tags().stream().map(EntityTag::toString).reduce((a, b) -> a + ", " + b).orElse("");
            Invariant.same(listed, EntityTag.parseList(List.of(again)), () -> "tags again");
        }
    }
}
