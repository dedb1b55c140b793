package io.servery.acme.store;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Lines of a name, a space and a value, up to the first PEM block.
record Fields(Map<String, String> values) {

    static Fields of(String body) {
        Map<String, String> values = new HashMap<>();
        for (String line : body.lines().takeWhile(line -> !line.startsWith("-----")).toList()) {
            int space = line.indexOf(' ');
            values.put(space < 0 ? line : line.substring(0, space), space < 0 ? "" : line.substring(space + 1));
        }
        return new Fields(values);
    }

    String required(String name) throws DamageException {
        String value = values.get(name);
        if (value == null) {
            throw new DamageException("found no `" + name + "`; expected one");
        }
        return value;
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name));
    }

    int number(String name) throws DamageException {
        try {
            return Integer.parseInt(required(name));
        } catch (NumberFormatException notANumber) {
            throw new DamageException("`" + name + "`: found " + notANumber.getMessage() + "; expected a number");
        }
    }

    Optional<Instant> moment(String name) throws DamageException {
        String value = values.get(name);
        try {
            return value == null ? Optional.empty() : Optional.of(Instant.parse(value));
        } catch (DateTimeException notATime) {
            throw new DamageException("`" + name + "`: found " + notATime.getMessage() + "; expected a time");
        }
    }
}
