package io.servery.netty.start;

import java.util.List;
import java.util.Set;

/// Whether a command line asks to serve, judged before the command line is really read.
///
/// Both ways of being wrong are harmless: a command that only reports would start twice, a serving one would keep its flags.
final class ServingCommand {
    private static final Set<String> SERVING = Set.of("run", "serve");
    private static final Set<String> REPORTING = Set.of("--help", "-h", "--version", "-V", "--check-config",
            "--print-effective-config");
    /// Of those that may stand before the command.
    private static final Set<String> TAKING_A_VALUE = Set.of("--config", "-c", "--set");
    private static final String CONFIG = "--config";

    private ServingCommand() {
    }

    static boolean is(List<String> args) {
        if (args.stream().anyMatch(REPORTING::contains)) {
            return false;
        }
        for (int at = 0; at < args.size(); at++) {
            String arg = args.get(at);
            if (TAKING_A_VALUE.contains(arg)) {
                at++;
            } else if (!arg.startsWith("-")) {
                return SERVING.contains(arg);
            }
        }
        return args.stream().anyMatch(arg -> arg.equals(CONFIG) || arg.equals("-c") || arg.startsWith(CONFIG + "="));
    }
}
