package io.servery.netty.cli;

import java.util.List;
import java.util.Set;

/// What `serve`, `run` and `servery --config` understand: the one table from which {@link ServingReader} reads a start and
/// {@link ServingModel} makes the command line with its help and completion.
enum ServingOption {
    CONFIG(Takes.VALUE, "FILE", "", "The configuration file.", "-c", "--config"),
    PORT(Takes.VALUE, "PORT", "listener.port", "The port (8000); 0 takes a free one.", "-p", "--port"),
    HOST(Takes.VALUES, "HOST", "listener.host", "The address (127.0.0.1). Repeatable.", "-H", "--host"),
    UNIX(Takes.VALUE, "PATH", "listener.unix", "A Unix domain socket instead.", "", "--unix"),
    INDEX(Takes.VALUES, "NAME", "application.static.index", "The index file (index.html). Repeatable.", "-i",
            "--index"),
    LISTING(Takes.NO_OR_NOTHING, "", "application.static.listing", "List directories without an index file.", "-l",
            "--listing"),
    SHOW_HIDDEN(Takes.NO_OR_NOTHING, "", "application.static.show_hidden", "Serve names that begin with a dot.", "-a",
            "--show-hidden"),
    SPA(Takes.NO_OR_NOTHING, "", "application.static.spa", "Answer unknown paths with the root's index.", "-s",
            "--spa"),
    ACCESS(Takes.NO_OR_NOTHING, "", "logging.access", "One line a request on standard output.", "", "--access"),
    SET(Takes.VALUES, Assignment.LABEL, "", Assignment.DESCRIPTION, "", Assignment.OPTION),
    UNSAFE_DEVELOPMENT_TLS(Takes.NOTHING, "", "", ServingOption.UNSAFE_DESCRIPTION, "", ServingOption.UNSAFE);

    static final String UNSAFE = "--unsafe-development-tls";
    static final String UNSAFE_DESCRIPTION = "Let profile production run without a real certificate. For development alone.";

    /// The options of `run`, which `servery` without a command has, too.
    static final Set<ServingOption> OF_RUN = Set.of(CONFIG, SET, UNSAFE_DEVELOPMENT_TLS);

    /// How an option is followed: by one value at most once, by a value each time, by nothing; `NO_OR_NOTHING` has a second
    /// name, `--no-…`, that says the contrary.
    enum Takes {
        VALUE,
        VALUES,
        NOTHING,
        NO_OR_NOTHING
    }

    private final Takes takes;
    private final String label;
    private final String key;
    private final String description;
    private final String shortName;
    private final String longName;
    private final String negated;

    /// Long because a row of the table has so many columns.
    ServingOption(Takes takes, String label, String key, String description, String shortName,
            String longName) {
        this.takes = takes;
        this.label = label;
        this.key = key;
        this.description = description;
        this.shortName = shortName;
        this.longName = longName;
        this.negated = takes == Takes.NO_OR_NOTHING ? "--no-" + longName.substring(2) : "";
    }

    Takes takes() {
        return takes;
    }

    boolean takesValue() {
        return takes == Takes.VALUE || takes == Takes.VALUES;
    }

    String label() {
        return label;
    }

    /// The key of the configuration that it sets; empty where it means something else.
    String key() {
        return key;
    }

    String description() {
        return description;
    }

    List<String> names() {
        return shortName.isEmpty() ? List.of(longName) : List.of(shortName, longName);
    }

    boolean isNamed(String name) {
        return name.equals(longName) || !shortName.isEmpty() && name.equals(shortName);
    }

    /// The long one, as it is quoted.
    String longName() {
        return longName;
    }

    /// The name that says the contrary; empty where there is none.
    String negated() {
        return negated;
    }
}
