package io.servery.core.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// The types of keys that are words: truth values, choices, strings, paths.
final class Words {

    private Words() {
    }

    /// A TOML basic string.
    static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                default -> {
                    if (c < ' ' || !Printable.isPrintable(c)) {
                        quoted.append(String.format(c > 0xffff ? "\\U%08X" : "\\u%04X", c));
                    } else {
                        quoted.appendCodePoint(c);
                    }
                }
            }
        });
        return quoted.append('"').toString();
    }

    /// `true` or `false`.
    record Truth() implements ValueType<Boolean> {
        @Override
        public Optional<Boolean> read(Raw raw, Reading reading) {
            return raw instanceof Raw.Scalar(Boolean truth, _)
                    ? Optional.of(truth)
                    : reading.refuse(raw, description());
        }

        @Override
        public String write(Boolean value) {
            return value.toString();
        }

        @Override
        public String description() {
            return "true or false";
        }

        @Override
        public Bare bare() {
            return Bare.TRUTH;
        }
    }

    /// One of the words of an enumeration.
    ///
    /// @param later words of the contract whose feature comes later
    record OneOf<E extends Enum<E> & Choice>(Class<E> type, List<String> later) implements ValueType<E> {
        OneOf(Class<E> type) {
            this(type, List.of());
        }

        @Override
        public Optional<E> read(Raw raw, Reading reading) {
            if (!(raw instanceof Raw.Scalar(String word, _))) {
                return reading.refuse(raw, description());
            }
            if (later.contains(word)) {
                reading.faults().add(raw.where(), "`" + reading.key() + "`: " + quote(word) + " is not yet available");
                return Optional.empty();
            }
            return choice(word).or(() -> refuse(word, raw, reading));
        }

        private Optional<E> choice(String word) {
            return Arrays.stream(type.getEnumConstants()).filter(c -> c.word().equals(word)).findFirst();
        }

        private Optional<E> refuse(String word, Raw raw, Reading reading) {
            List<String> words = Arrays.stream(type.getEnumConstants()).map(Choice::word).toList();
            Optional<String> near = Suggestion.nearest(word, words);
            return near.isPresent()
                    ? reading.refuse(raw, raw.found(), description(), "did you mean \"" + near.get() + "\"?")
                    : reading.refuse(raw, description());
        }

        @Override
        public String write(E value) {
            return quote(value.word());
        }

        @Override
        public String description() {
            return Arrays.stream(type.getEnumConstants()).map(c -> '"' + c.word() + '"')
                    .collect(Collectors.joining(" or "));
        }
    }

    /// A string of a certain form.
    ///
    /// @param description what the form is
    record Text(String description, Predicate<String> form) implements ValueType<String> {
        @Override
        public Optional<String> read(Raw raw, Reading reading) {
            return raw instanceof Raw.Scalar(String text, _) && form.test(text)
                    ? Optional.of(text)
                    : reading.refuse(raw, description);
        }

        @Override
        public String write(String value) {
            return quote(value);
        }
    }

    /// A path of the file system, made absolute.
    ///
    /// @param bytesMax how long it may be, in UTF-8
    record FilePath(int bytesMax) implements ValueType<Path> {
        private static final int BYTES_MAX = 4_095;

        FilePath() {
            this(BYTES_MAX);
        }

        @Override
        public Optional<Path> read(Raw raw, Reading reading) {
            if (!(raw instanceof Raw.Scalar(String text, _)) || text.isEmpty()) {
                return reading.refuse(raw, description());
            }
            try {
                Path path = reading.base().resolve(text).normalize();
                int length = path.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
                return length <= bytesMax
                        ? Optional.of(path)
                        : reading.refuse(raw, "a path of " + length + " bytes", description());
            } catch (InvalidPathException _) {
                return reading.refuse(raw, description());
            }
        }

        @Override
        public String write(Path value) {
            return quote(value.toString());
        }

        @Override
        public String description() {
            return bytesMax == BYTES_MAX ? "a path" : "a path of at most " + bytesMax + " bytes";
        }
    }
}
