package io.servery.supervisor.host;

import io.servery.core.fault.ExitCode;
import io.servery.supervisor.posix.Posix;
import io.servery.supervisor.posix.PosixException;
import java.lang.foreign.Arena;
import java.util.Optional;

/// Who the service runs as: parent and workers alike. A parent that was root keeps CAP_NET_BIND_SERVICE, for addresses that
/// a reload brings; a worker has no capability.
public sealed interface Privileges {

    int uid();

    int gid();

    /// Becomes that user, for good.
    ///
    /// The capability stays with the calling thread: it has to be the one that binds. It stands for the whole process
    /// otherwise. The kernel counts such a process as one whose memory no other may read (prctl(2), PR_SET_DUMPABLE), and
    /// its files in /proc as root's.
    Outcome<Privileges> assume();

    /// As it is: nobody else was asked for, or this user already.
    record Kept(int uid, int gid) implements Privileges {
        @Override
        public Outcome<Privileges> assume() {
            return new Outcome.Given<>(this);
        }
    }

    /// Root becomes another user.
    record Changed(String name, int uid, int gid) implements Privileges {
        private static final Posix INITGROUPS = Posix.function("initgroups");
        private static final Posix SETRESGID = Posix.function("setresgid");
        private static final Posix SETRESUID = Posix.function("setresuid");

        @Override
        public Outcome<Privileges> assume() {
            try {
                Capabilities.emptyBoundingSet();
                Capabilities.keepOverSetuid();
                become();
                Capabilities.keepBindingAlone();
                return new Outcome.Given<>(this);
            } catch (PosixException failed) {
                return new Outcome.Refused<>("runtime.user: cannot become " + name + ": " + failed.getMessage(),
                        ExitCode.PERMISSION);
            }
        }

        /// The C library does this for every thread of the process: nptl(7).
        private void become() throws PosixException {
            try (Arena arena = Arena.ofConfined()) {
                INITGROUPS.call(Posix.text(arena, name).address(), gid);
            }
            SETRESGID.call(gid, gid, gid);
            SETRESUID.call(uid, uid, uid);
        }
    }

    /// Looks up `runtime.user` and `runtime.group`. Without a group it is the user's own.
    static Outcome<Privileges> of(Optional<String> user, Optional<String> group) {
        Accounts.User own = Accounts.own();
        Accounts.User wanted = own;
        if (user.isPresent()) {
            wanted = Accounts.user(user.get());
            if (wanted == null) {
                return unknown("runtime.user", user.get());
            }
        }
        Integer gid = wanted.gid();
        if (group.isPresent()) {
            gid = Accounts.group(group.get());
            if (gid == null) {
                return unknown("runtime.group", group.get());
            }
        }
        if (wanted.uid() == own.uid() && gid == own.gid()) {
            return new Outcome.Given<>(new Kept(own.uid(), own.gid()));
        }
        if (own.uid() != 0) {
            return new Outcome.Refused<>("runtime." + (wanted.uid() == own.uid() ? "group" : "user") + ": found user "
                    + wanted.uid() + " and group " + gid + ", but this process is user " + own.uid() + " and group "
                    + own.gid() + "; expected the same, or a start as root", ExitCode.PERMISSION);
        }
        return new Outcome.Given<>(new Changed(user.orElse("root"), wanted.uid(), gid));
    }

    private static Outcome<Privileges> unknown(String key, String name) {
        return new Outcome.Refused<>(key + ": found `" + name + "`, which this host does not know; expected a name of "
                + "getent " + (key.endsWith("user") ? "passwd" : "group"), ExitCode.CONFIGURATION);
    }
}
