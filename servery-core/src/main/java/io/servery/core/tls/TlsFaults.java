package io.servery.core.tls;

import io.servery.core.fault.ExitCode;
import io.servery.core.fault.Fault;
import io.servery.core.fault.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The faults of one file that a key of the configuration names, in the words of every other fault.
final class TlsFaults {
    private final String key;
    private final String file;
    private final List<Fault> faults = new ArrayList<>();

    TlsFaults(String key, String file) {
        this.key = key;
        this.file = file;
    }

    void add(Unusable unusable) {
        Place place = unusable.line() == Unusable.NO_LINE
                ? new Place.Named(file)
                : new Place.InText(file, unusable.line(), 1, Optional.empty());
        add(place, unusable.found(), unusable.expected(), unusable.hint());
    }

    void add(String found, String expected) {
        add(new Place.Named(file), found, expected, Optional.empty());
    }

    void add(String found, String expected, String hint) {
        add(new Place.Named(file), found, expected, Optional.of(hint));
    }

    private void add(Place place, String found, String expected, Optional<String> hint) {
        faults.add(new Fault(ExitCode.CONFIGURATION, place,
                "`" + key + "`: found " + found + "; expected " + expected, hint));
    }

    List<Fault> faults() {
        return faults;
    }
}
