package io.servery.admin;

import io.servery.http.semantics.FieldName;
import io.servery.http.semantics.RequestFields;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// The fields of a request, as a test writes them.
final class Fields implements RequestFields {
    private final Map<FieldName, List<String>> lines = new EnumMap<>(FieldName.class);

    static Fields none() {
        return new Fields();
    }

    static Fields of(FieldName name, String value) {
        return none().with(name, value);
    }

    Fields with(FieldName name, String value) {
        lines.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
        return this;
    }

    @Override
    public int count(FieldName name) {
        return values(name).size();
    }

    @Override
    public String value(FieldName name) {
        return values(name).isEmpty() ? null : values(name).getFirst();
    }

    @Override
    public List<String> values(FieldName name) {
        return lines.getOrDefault(name, List.of());
    }
}
