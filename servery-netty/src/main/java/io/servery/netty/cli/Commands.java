package io.servery.netty.cli;

/// The command line: what serves and is plain starts at once, everything else goes through {@link CommandLineInterface}.
public final class Commands {
    private final ServiceLauncher launcher;
    private final Surroundings surroundings;

    public Commands(ServiceLauncher launcher, Surroundings surroundings) {
        this.launcher = launcher;
        this.surroundings = surroundings;
    }

    /// Does what the words say.
    ///
    /// @return the exit code of the process
    public int execute(String... words) {
        ServingWords plain = ServingReader.read(words);
        return plain == null ? new CommandLineInterface(launcher, surroundings).execute(words) : start(plain);
    }

    private int start(ServingWords plain) {
        Ending ending = new Ending(surroundings);
        try {
            int code = new ServingCommands(new Loader(surroundings), launcher).start(plain);
            return ending.code(code);
        } catch (RuntimeException bug) {
            return ending.bug(bug);
        }
    }
}
