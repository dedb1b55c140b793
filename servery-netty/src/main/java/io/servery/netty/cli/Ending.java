package io.servery.netty.cli;

import io.servery.core.fault.ExitCode;
import java.util.Arrays;

/// How a command ends whose work is done, or broke.
record Ending(Surroundings surroundings) {
    /// So much of a stack tells where a bug is.
    private static final int FRAMES_MAX = 20;

    /// Whoever goes on with half of what was asked for must not take it for all of it.
    int code(int code) {
        if (code == ExitCode.OK.code() && surroundings.out().checkError()) {
            surroundings.err().println("servery: standard output: found that it cannot be written, or not all of it");
            return ExitCode.FAILED.code();
        }
        return code;
    }

    int bug(Exception bug) {
        surroundings.err().println("servery: error: this is a bug in servery");
        surroundings.err().println("   " + bug);
        Arrays.stream(bug.getStackTrace()).limit(FRAMES_MAX)
                .forEach(frame -> surroundings.err().println("      at " + frame));
        return ExitCode.SOFTWARE.code();
    }
}
