package io.servery.netty.start;

import java.util.Set;

/// Whether a command line asks to serve, judged before the command line is really read.
///
/// Every way of being wrong is harmless: a command that only reports would start twice, a serving one would keep its flags.
final class ServingCommand {
    private static final String FOLDER = "serve";
    private static final String SERVICE = "run";
    private static final Set<String> REPORTING = Set.of("--help", "-h", "--version", "-V", "--check-config",
            "--print-effective-config");
    /// Of those that may stand before the command.
    private static final Set<String> TAKING_A_VALUE = Set.of("--config", "-c", "--set");
    private static final String CONFIG = "--config";
    private static final String CONFIG_IS = "--config=";

    private ServingCommand() {
    }

    /// What is served.
    enum Kind {
        /// Nothing.
        NONE,
        /// A folder, by this process.
        FOLDER,
        /// What a file describes, by workers of this process.
        SERVICE
    }

    static Kind of(String[] args) {
        boolean config = false;
        String command = "";
        for (int at = 0; at < args.length; at++) {
            String arg = args[at];
            if (REPORTING.contains(arg)) {
                return Kind.NONE;
            }
            config |= arg.equals(CONFIG) || arg.equals("-c") || arg.startsWith(CONFIG_IS);
            boolean value = at > 0 && TAKING_A_VALUE.contains(args[at - 1]);
            if (command.isEmpty() && !value && !arg.startsWith("-")) {
                command = arg;
            }
        }
        if (command.isEmpty()) {
            return config ? Kind.SERVICE : Kind.NONE;
        }
        return command.equals(FOLDER) ? Kind.FOLDER : command.equals(SERVICE) ? Kind.SERVICE : Kind.NONE;
    }
}
