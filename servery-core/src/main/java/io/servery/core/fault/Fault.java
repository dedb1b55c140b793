package io.servery.core.fault;

import java.util.Comparator;
import java.util.Optional;

/// An expected failure as a value: where, what, how to mend it, and the exit code it leads to.
///
/// @param what `subject: found X; expected Y`, one line
/// @param hint one more line, or empty
public record Fault(ExitCode exitCode, Place place, String what, Optional<String> hint) {

    /// The order in which people read: whole files, then lines, then the environment, then the command line as given.
    public static final Comparator<Fault> BY_PLACE = Comparator.comparingInt((Fault fault) -> rank(fault.place))
            .thenComparing(Fault::inLayer);

    public static Fault configuration(Place place, String what) {
        return new Fault(ExitCode.CONFIGURATION, place, what, Optional.empty());
    }

    public static Fault configuration(Place place, String what, String hint) {
        return new Fault(ExitCode.CONFIGURATION, place, what, Optional.of(hint));
    }

    private static int rank(Place place) {
        return switch (place) {
            case Place.Named _ -> 0;
            case Place.InText _ -> 1;
            case Place.Variable _ -> 2;
            case Place.Argument _ -> 3;
        };
    }

    private static int inLayer(Fault left, Fault right) {
        if (left.place instanceof Place.InText a && right.place instanceof Place.InText b) {
            int byLine = Integer.compare(a.line(), b.line());
            return byLine != 0 ? byLine : Integer.compare(a.column(), b.column());
        }
        if (left.place instanceof Place.Variable a && right.place instanceof Place.Variable b) {
            return a.name().compareTo(b.name());
        }
        return 0;
    }
}
