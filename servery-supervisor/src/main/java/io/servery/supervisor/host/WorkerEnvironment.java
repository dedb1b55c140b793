package io.servery.supervisor.host;

import java.util.List;
import java.util.Map;
import java.util.Set;

/// What a worker gets of the parent's environment: all but what a service manager says to the parent alone.
public final class WorkerEnvironment {
    private static final Set<String> OF_THE_PARENT = Set.of(SystemdNotifier.SOCKET, SystemdNotifier.WATCHDOG_USEC,
            SystemdNotifier.WATCHDOG_PID, SystemdNotifier.EXEC_PID, InheritedSockets.LISTEN_PID,
            InheritedSockets.LISTEN_FDS, InheritedSockets.LISTEN_FDNAMES);

    private WorkerEnvironment() {
    }

    /// As `NAME=value`, ordered by name.
    public static List<String> of(Map<String, String> parent) {
        return parent.entrySet().stream().filter(entry -> !OF_THE_PARENT.contains(entry.getKey()))
                .map(entry -> entry.getKey() + "=" + entry.getValue()).sorted().toList();
    }
}
