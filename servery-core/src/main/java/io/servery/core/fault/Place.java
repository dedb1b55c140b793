package io.servery.core.fault;

import java.util.Optional;

/// Where a fault is: what a person has to look at to mend it.
public sealed interface Place {

    /// The words before `: error:`.
    String text();

    /// A line and column of a text. Columns count code points, from 1.
    record InText(String name, int line, int column, Optional<Excerpt> excerpt) implements Place {
        @Override
        public String text() {
            return name + ":" + line + ":" + column;
        }
    }

    /// A file as a whole, or another named thing: an address, a directory.
    record Named(String name) implements Place {
        @Override
        public String text() {
            return name;
        }
    }

    /// An environment variable.
    record Variable(String name) implements Place {
        @Override
        public String text() {
            return "env " + name;
        }
    }

    /// Something on the command line.
    ///
    /// @param option the flag, such as `--set`
    /// @param subject what follows it, such as the key; may be empty
    record Argument(String option, String subject) implements Place {
        @Override
        public String text() {
            return subject.isEmpty() ? option : option + " " + subject;
        }
    }

    /// The source line of a place, fit to print: no control characters, no secrets, cut to a width.
    ///
    /// @param column where the carets begin, from 1, in code points
    /// @param width how many carets
    record Excerpt(String line, int column, int width) {
    }
}
