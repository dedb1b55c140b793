package io.servery.http.semantics;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Request fields given as lines of text.
final class Fields implements RequestFields {
    static final Fields NONE = new Fields();

    private final Map<FieldName, List<String>> lines = new EnumMap<>(FieldName.class);

    private Fields() {
    }

    static Fields of(FieldName name, String... values) {
        return NONE.and(name, values);
    }

    Fields and(FieldName name, String... values) {
        Fields more = new Fields();
        more.lines.putAll(lines);
        more.lines.computeIfAbsent(name, absent -> new ArrayList<>()).addAll(List.of(values));
        return more;
    }

    @Override
    public int count(FieldName name) {
        return values(name).size();
    }

    @Override
    public String value(FieldName name) {
        List<String> values = values(name);
        return values.isEmpty() ? null : values.getFirst();
    }

    @Override
    public List<String> values(FieldName name) {
        List<String> values = lines.get(name);
        return values == null ? List.of() : values;
    }
}
