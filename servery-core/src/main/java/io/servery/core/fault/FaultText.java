package io.servery.core.fault;

import java.util.List;

/// Faults as text for a person: the place, the fault, the source line with carets, the hint.
///
///     servery.toml:12:1: error: unknown key `listner.port`
///        12 | listner.port = 8080
///           | ^^^^^^^
///        did you mean `listener.port`?
public final class FaultText {
    private static final String MARGIN = "   ";
    private static final String BOLD_RED = "\u001b[1;31m";
    private static final String PLAIN = "\u001b[0m";

    private final boolean colour;

    /// @param colour whether the reader is a terminal that wants escape sequences
    public FaultText(boolean colour) {
        this.colour = colour;
    }

    /// All faults, each ending with a newline, in the order given.
    public String of(List<Fault> faults) {
        StringBuilder text = new StringBuilder();
        faults.forEach(fault -> append(fault, text));
        return text.toString();
    }

    private void append(Fault fault, StringBuilder text) {
        text.append(fault.place().text()).append(": ").append(red("error:")).append(' ').append(fault.what())
                .append('\n');
        if (fault.place() instanceof Place.InText place) {
            place.excerpt().ifPresent(excerpt -> append(place.line(), excerpt, text));
        }
        fault.hint().ifPresent(hint -> text.append(MARGIN).append(hint).append('\n'));
    }

    private void append(int line, Place.Excerpt excerpt, StringBuilder text) {
        String number = Integer.toString(line);
        text.append(MARGIN).append(number).append(" | ").append(excerpt.line()).append('\n');
        text.append(MARGIN).append(" ".repeat(number.length())).append(" | ").append(" ".repeat(excerpt.column() - 1))
                .append(red("^".repeat(excerpt.width()))).append('\n');
    }

    private String red(String words) {
        return colour ? BOLD_RED + words + PLAIN : words;
    }
}
