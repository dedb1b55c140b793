package io.servery.supervisor.host;

import io.servery.core.fault.ExitCode;
import io.servery.supervisor.posix.Descriptors;
import io.servery.supervisor.posix.Posix;
import io.servery.supervisor.posix.PosixException;
import io.servery.supervisor.posix.SocketOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Sockets from whoever started this process: sd_listen_fds(3), without its library. A program that replaces itself by
/// execve(2) keeps its pid and them.
public final class InheritedSockets {
    static final String LISTEN_PID = "LISTEN_PID";
    static final String LISTEN_FDS = "LISTEN_FDS";
    static final String LISTEN_FDNAMES = "LISTEN_FDNAMES";

    private static final Posix FCNTL = Posix.function("fcntl");
    private static final int FIRST = 3; // SD_LISTEN_FDS_START
    private static final int COUNT_MAX = 253;
    private static final long F_SETFD = 2;
    private static final long FD_CLOEXEC = 1;
    private static final String WITHOUT_NAME = "unknown"; // as systemd.socket(5) has it

    private InheritedSockets() {
    }

    /// The sockets by their names, several to one name in the order that they came; none where the environment means another
    /// process. From now on no program that is executed inherits them, and none of their calls waits.
    ///
    /// @param pid this process's
    public static Outcome<Map<String, List<Integer>>> of(Map<String, String> environment, long pid) {
        String count = environment.getOrDefault(LISTEN_FDS, "0");
        if (!environment.getOrDefault(LISTEN_PID, "").equals(Long.toString(pid)) || count.equals("0")) {
            return new Outcome.Given<>(Map.of());
        }
        if (!count.matches("[1-9][0-9]{0,2}") || Integer.parseInt(count) > COUNT_MAX) {
            return refused("env " + LISTEN_FDS + ": found `" + count + "`; expected a number up to " + COUNT_MAX);
        }
        List<String> names = names(environment.getOrDefault(LISTEN_FDNAMES, ""), Integer.parseInt(count));
        if (names.size() != Integer.parseInt(count)) {
            return refused("env " + LISTEN_FDNAMES + ": found " + names.size() + " names for " + count
                    + " sockets; expected one for each");
        }
        return take(names);
    }

    private static List<String> names(String text, int count) {
        List<String> names = new ArrayList<>();
        if (text.isEmpty()) {
            for (int i = 0; i < count; i++) {
                names.add(WITHOUT_NAME);
            }
            return names;
        }
        return List.of(text.split(":", -1));
    }

    private static Outcome<Map<String, List<Integer>>> take(List<String> names) {
        Map<String, List<Integer>> sockets = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            int descriptor = FIRST + i;
            String where = "socket " + names.get(i) + " (descriptor " + descriptor + "): ";
            try {
                if (SocketOption.TYPE.of(descriptor) != SocketOption.STREAM
                        || SocketOption.ACCEPT_CONNECTIONS.of(descriptor) == 0) {
                    return refused(where + "found one that does not listen for streams; expected ListenStream= and "
                            + "Accept=no in its unit");
                }
                FCNTL.call(descriptor, F_SETFD, FD_CLOEXEC);
                Descriptors.makeNonBlocking(descriptor);
            } catch (PosixException failed) {
                return refused(where + failed.getMessage());
            }
            sockets.computeIfAbsent(names.get(i), name -> new ArrayList<>()).add(descriptor);
        }
        return new Outcome.Given<>(sockets);
    }

    private static Outcome<Map<String, List<Integer>>> refused(String message) {
        return new Outcome.Refused<>(message, ExitCode.CONFIGURATION);
    }
}
