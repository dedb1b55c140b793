package io.servery.core.config;

import java.util.Optional;
import java.util.regex.Pattern;

/// Words of the environment or the command line as values.
final class BareWords {
    private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]{1,19}");
    private static final Pattern DECIMAL = Pattern.compile("[+-]?[0-9]{1,15}\\.[0-9]{1,15}");

    /// The syntax of arrays and tables.
    enum Syntax {
        JSON,
        TOML
    }

    private BareWords() {
    }

    /// The value, or empty after a syntax error was reported.
    static Optional<Raw> read(String words, ValueType<?> type, Syntax syntax, Where where, Faults faults) {
        return switch (type.bare()) {
            case WORD -> Optional.of(new Raw.Scalar(words, where));
            case NUMBER -> Optional.of(new Raw.Scalar(number(words), where));
            case TRUTH -> Optional.of(new Raw.Scalar(truth(words), where));
            case STRUCTURE, WORD_OR_STRUCTURE -> words.startsWith("[") || words.startsWith("{")
                    ? structure(words, type.isSecret(), syntax, where, faults)
                    : Optional.of(new Raw.Scalar(words, where));
        };
    }

    /// An array or a table.
    static Optional<Raw> structure(String words, boolean secret, Syntax syntax, Where where, Faults faults) {
        Faults own = new Faults();
        Optional<Raw> read = switch (syntax) {
            case JSON -> json(words, where, own);
            case TOML -> TomlDocument.fragment(words, where, own);
        };
        if (read.isEmpty()) {
            String what = secret ? "a syntax error in a value that is not shown" : own.first();
            faults.add(where, what);
        }
        return read;
    }

    private static Optional<Raw> json(String words, Where where, Faults faults) {
        try {
            return Optional.of(JsonText.read(words, where));
        } catch (TomlRefusal refusal) {
            faults.add(where, refusal.what());
            return Optional.empty();
        }
    }

    private static Object number(String words) {
        if (INTEGER.matcher(words).matches()) {
            try {
                return Long.valueOf(words);
            } catch (NumberFormatException _) {
                return words;
            }
        }
        return DECIMAL.matcher(words).matches() ? (Object) Double.valueOf(words) : words;
    }

    private static Object truth(String words) {
        return switch (words) {
            case "true" -> true;
            case "false" -> false;
            default -> words;
        };
    }
}
