package io.servery.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.servery.http.semantics.FieldName;
import io.servery.http.semantics.FormQuery;
import io.servery.http.semantics.MediaPreference;
import io.servery.http.semantics.RequestFields;
import java.math.BigDecimal;
import java.net.URLDecoder;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a request may say to a listing: any text as Accept (RFC 9110 §12.5.1), any text as a query.
class ListingFuzz {
    private static final String HTML = "text/html";
    private static final String JSON = "application/json";
    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
    private static final Pattern RANGE = Pattern.compile("(" + TOKEN + ")/(" + TOKEN + ")((?:[ \t]*;[ \t]*(?:" + TOKEN
            + "=" + TOKEN + ")?)*+)[ \t]*");
    private static final Pattern PARAMETER = Pattern.compile(";[ \t]*(" + TOKEN + ")=(" + TOKEN + ")");

    @FuzzTest
    void listing(byte[] bytes) {
        String text = new String(bytes, ISO_8859_1);
        accept(text);
        query(text);
    }

    private static void accept(String field) {
        RequestFields fields = new AcceptAlone(field);
        String chosen = Cost.within(200_000 + 2_000L * field.length(),
                () -> MediaPreference.of(fields, List.of(HTML, JSON)));
        if (field.indexOf('"') < 0) {
            Invariant.same(expected(field), chosen, () -> "Accept: " + field);
        } else {
            Invariant.holds(chosen.equals(HTML) || chosen.equals(JSON), () -> "not offered: " + chosen);
        }
    }

    private static void query(String query) {
        for (String name : List.of("q", "sort", "order", "page")) {
            String value = Cost.within(100_000 + 1_000L * query.length(),
                    () -> String.valueOf(FormQuery.value(query, name)));
            String raw = null;
            for (String pair : query.split("&", -1)) {
                raw = raw == null && pair.startsWith(name + "=") ? pair.substring(name.length() + 1) : raw;
            }
            if (raw == null) {
                Invariant.same("null", value, () -> name + " in " + query);
            } else if (!value.equals("null")) {
                Invariant.same(URLDecoder.decode(raw, UTF_8), value, () -> name + " in " + query);
            }
        }
    }

    /// The same for values without quoted strings, by regular expressions and decimal numbers.
    private static String expected(String field) {
        BigDecimal html = rank(field, HTML);
        BigDecimal json = rank(field, JSON);
        return json.compareTo(html) > 0 ? JSON : HTML;
    }

    /// The weight, and exactness in the digits past the third.
    private static BigDecimal rank(String field, String type) {
        int exactness = -1;
        BigDecimal weight = BigDecimal.ZERO;
        for (String member : field.split(",", -1)) {
            Matcher range = RANGE.matcher(member.replaceAll("^[ \t]+", ""));
            BigDecimal own = range.matches() ? weight(range.group(3)) : null;
            int exact = own == null
                    ? -1
                    : exactness((range.group(1) + "/" + range.group(2)).toLowerCase(Locale.ROOT), type);
            if (own != null && (exact > exactness || exact == exactness && exact >= 0 && own.compareTo(weight) > 0)) {
                exactness = exact;
                weight = own;
            }
        }
        return weight.signum() == 0 ? weight : weight.add(BigDecimal.valueOf(exactness, 4));
    }

    private static int exactness(String range, String type) {
        String kind = type.substring(0, type.indexOf('/'));
        return range.equals(type) ? 2 : range.equals(kind + "/*") ? 1 : range.equals("*/*") ? 0 : -1;
    }

    /// Null for a member that counts for nothing: its weight is none, or it has parameters.
    private static @Nullable BigDecimal weight(String parameters) {
        for (Matcher parameter = PARAMETER.matcher(parameters); parameter.find();) {
            if (parameter.group(1).equalsIgnoreCase("q")) {
                boolean valid = parameter.group(2).matches("0(\\.[0-9]{0,3})?|1(\\.0{0,3})?");
                return valid ? new BigDecimal(parameter.group(2).replaceAll("\\.$", "")) : null;
            }
            if (!parameter.group(1).equalsIgnoreCase("charset")) {
                return null;
            }
        }
        return BigDecimal.ONE;
    }

    private record AcceptAlone(String value) implements RequestFields {
        @Override
        public int count(FieldName name) {
            return values(name).size();
        }

        @Override
        public @Nullable String value(FieldName name) {
            return name == FieldName.ACCEPT ? value : null;
        }

        @Override
        public List<String> values(FieldName name) {
            return name == FieldName.ACCEPT ? List.of(value) : List.of();
        }
    }
}
