package io.servery.supervisor.host;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.servery.supervisor.posix.Posix;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The users and groups that this host knows: getpwnam_r(3), getgrnam_r(3).
final class Accounts {
    private static final Posix GETPWNAM_R = Posix.function("getpwnam_r");
    private static final Posix GETGRNAM_R = Posix.function("getgrnam_r");
    private static final Posix GETEUID = Posix.function("geteuid");
    private static final Posix GETEGID = Posix.function("getegid");
    private static final int ERANGE = 34;
    private static final int ROOM_BYTES = 4096;
    private static final int ROOM_BYTES_MAX = 1 << 20;

    // struct passwd and struct group begin alike: two pointers, then numbers.
    private static final long STRUCTURE_BYTES = 48;
    private static final long ID = 16;
    private static final long PRIMARY_GROUP = 20;

    private Accounts() {
    }

    /// A user, and the group that it has by itself.
    record User(int uid, int gid) {
    }

    /// The user of this name, or null.
    static @Nullable User user(String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment found = find(arena, GETPWNAM_R, name);
            return found == null ? null : new User(found.get(JAVA_INT, ID), found.get(JAVA_INT, PRIMARY_GROUP));
        }
    }

    /// The number of the group of this name, or null.
    static @Nullable Integer group(String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment found = find(arena, GETGRNAM_R, name);
            return found == null ? null : found.get(JAVA_INT, ID);
        }
    }

    /// Every error but a lack of room means, among others, that there is none: getpwnam(3).
    private static @Nullable MemorySegment find(Arena arena, Posix function, String name) {
        MemorySegment structure = arena.allocate(STRUCTURE_BYTES, Long.BYTES);
        MemorySegment result = arena.allocate(ADDRESS);
        for (int room = ROOM_BYTES; room <= ROOM_BYTES_MAX; room *= 2) {
            long error = function.callUnchecked(Posix.text(arena, name).address(), structure.address(),
                    arena.allocate(room).address(), room, result.address());
            if ((int) error != ERANGE) {
                return result.get(ADDRESS, 0).address() == 0 ? null : structure;
            }
        }
        return null;
    }

    /// Who this process is.
    static User own() {
        return new User((int) GETEUID.callUnchecked(), (int) GETEGID.callUnchecked());
    }
}
