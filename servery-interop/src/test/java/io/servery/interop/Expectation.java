package io.servery.interop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// What a request of the corpus must get: the content of its `.expect` file.
///
/// @param section the place in a specification that decides, such as `RFC 9112 §6.3`
/// @param about what the case shows, a sentence
/// @param answers in the order in which they must arrive
/// @param then what becomes of the connection afterwards
/// @param halfClose whether the client ends its side after the last byte
/// @param forbidden what must not occur in any byte of the answers
record Expectation(String section, String about, List<Expected> answers, Then then, boolean halfClose,
        List<String> forbidden) {

    /// What becomes of the connection: told by one more request, which is answered or not.
    enum Then {
        KEEP,
        CLOSE,
        EITHER
    }

    /// One answer that must (or may) arrive.
    ///
    /// @param optional whether its absence is right too
    /// @param statuses any of these
    /// @param reasons any of these in `Servery-Reason`; none given: any known one
    /// @param head whether it answers HEAD, so that no body follows
    /// @param demands what its fields must satisfy
    /// @param body its exact bytes, where that matters
    record Expected(boolean optional, List<Integer> statuses, List<String> reasons, boolean head,
            List<FieldDemand> demands, Optional<byte[]> body) {
    }

    /// What one field must satisfy.
    record FieldDemand(Kind kind, String name, String value) {

        /// `field`: this value; `like`: matches this pattern; `list`: has at least these members; `has`: present; `lacks`: absent.
        enum Kind {
            FIELD,
            LIKE,
            LIST,
            HAS,
            LACKS
        }

        /// The sentence that says what is wrong with these fields, or nothing.
        Optional<String> complaint(Answer answer) {
            List<String> found = answer.values(name);
            boolean well = switch (kind) {
                case FIELD -> found.equals(List.of(value));
                case LIKE -> found.size() == 1 && found.getFirst().matches(value);
                case LIST -> members(String.join(",", found)).containsAll(members(value));
                case HAS -> !found.isEmpty();
                case LACKS -> found.isEmpty();
            };
            return well
                    ? Optional.empty()
                    : Optional.of("%s: found %s; expected %s %s".formatted(name, found, kind, value));
        }

        private static TreeSet<String> members(String list) {
            var members = new TreeSet<String>();
            for (String member : list.split(",", -1)) {
                if (!member.isBlank()) {
                    members.add(member.strip());
                }
            }
            return members;
        }
    }

    /// Reads an `.expect` file; every mistake in it is an exception that names the line.
    static Expectation parse(String file) {
        var reading = new Reading();
        int number = 0;
        for (String line : file.split("\n", -1)) {
            number++;
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            try {
                reading.line(line);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
            }
        }
        return reading.finish();
    }

    private static final class Reading {
        private String section = "";
        private String about = "";
        private final List<AnswerLines> answers = new ArrayList<>();
        private Optional<Then> then = Optional.empty();
        private boolean halfClose;
        private final List<String> forbidden = new ArrayList<>();

        void line(String line) {
            int colon = line.indexOf(':');
            if (colon < 0) {
                throw new IllegalArgumentException("found no colon");
            }
            String key = line.substring(0, colon).strip();
            String value = line.substring(colon + 1).strip();
            if (line.startsWith(" ")) {
                answers.getLast().line(key, value);
            } else {
                top(key, value);
            }
        }

        private void top(String key, String value) {
            switch (key) {
                case "section" -> section = value;
                case "about" -> about = about.isEmpty() ? value : about + " " + value;
                case "answer" -> answers.add(new AnswerLines(false, value));
                case "answer?" -> answers.add(new AnswerLines(true, value));
                case "then" -> then = Optional.of(Then.valueOf(value.toUpperCase(java.util.Locale.ROOT)));
                case "end" -> {
                    if (!value.equals("half-close")) {
                        throw new IllegalArgumentException("end: found " + value + "; expected half-close");
                    }
                    halfClose = true;
                }
                case "forbid" -> forbidden.add(value);
                default -> throw new IllegalArgumentException("found key " + key);
            }
        }

        Expectation finish() {
            if (section.isEmpty() || about.isEmpty() || then.isEmpty()) {
                throw new IllegalArgumentException("section, about and then are required");
            }
            return new Expectation(section, about, answers.stream().map(AnswerLines::finish).toList(), then.get(),
                    halfClose, List.copyOf(forbidden));
        }
    }

    private static final class AnswerLines {
        private final boolean optional;
        private final List<Integer> statuses;
        private final List<String> reasons;
        private boolean head;
        private final List<FieldDemand> demands = new ArrayList<>();
        private Optional<byte[]> body = Optional.empty();

        AnswerLines(boolean optional, String value) {
            String[] words = value.split(" ", -1);
            this.optional = optional;
            this.statuses = Arrays.stream(words[0].split("\\|", -1)).map(Integer::valueOf).toList();
            this.reasons = words.length == 1 ? List.of() : List.of(words[1].split("\\|", -1));
            if (words.length > 2) {
                throw new IllegalArgumentException("answer: expected statuses and reasons, two words");
            }
        }

        void line(String key, String value) {
            switch (key) {
                case "to" -> head = value.equals("HEAD");
                case "body" -> body = Optional.of(Notation.bytes(value));
                case "has" -> demands.add(new FieldDemand(FieldDemand.Kind.HAS, value, ""));
                case "lacks" -> demands.add(new FieldDemand(FieldDemand.Kind.LACKS, value, ""));
                case "field" -> demands.add(named(FieldDemand.Kind.FIELD, value));
                case "like" -> demands.add(named(FieldDemand.Kind.LIKE, value));
                case "list" -> demands.add(named(FieldDemand.Kind.LIST, value));
                default -> throw new IllegalArgumentException("found key " + key + " under an answer");
            }
        }

        private static FieldDemand named(FieldDemand.Kind kind, String value) {
            int colon = value.indexOf(':');
            if (colon < 0) {
                throw new IllegalArgumentException("expected NAME: VALUE");
            }
            return new FieldDemand(kind, value.substring(0, colon).strip(), value.substring(colon + 1).strip());
        }

        Expected finish() {
            return new Expected(optional, statuses, reasons, head, List.copyOf(demands), body);
        }
    }
}
