package io.servery.supervisor.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.servery.supervisor.posix.Posix;
import io.servery.supervisor.posix.PosixException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// posix_spawn(3) with its attributes and file actions.
final class Spawn {
    private static final Posix SPAWN = Posix.function("posix_spawn");
    private static final Posix ATTR_INIT = Posix.function("posix_spawnattr_init");
    private static final Posix ATTR_DESTROY = Posix.function("posix_spawnattr_destroy");
    private static final Posix SET_FLAGS = Posix.function("posix_spawnattr_setflags");
    private static final Posix SET_MASK = Posix.function("posix_spawnattr_setsigmask");
    private static final Posix SET_DEFAULT = Posix.function("posix_spawnattr_setsigdefault");
    private static final Posix ACTIONS_INIT = Posix.function("posix_spawn_file_actions_init");
    private static final Posix ACTIONS_DESTROY = Posix.function("posix_spawn_file_actions_destroy");
    private static final Posix ADD_DUP2 = Posix.function("posix_spawn_file_actions_adddup2");
    private static final Posix SIGEMPTYSET = Posix.function("sigemptyset");
    private static final Posix SIGFILLSET = Posix.function("sigfillset");
    private static final String CLOSE_FROM = "posix_spawn_file_actions_addclosefrom_np";

    private static final long SETSIGDEF = 0x04;
    private static final long SETSIGMASK = 0x08;
    private static final long SETPGROUP = 0x02;
    private static final long FIRST_AFTER_STANDARD_ERROR = 3;
    /// More than either structure of the C library has (336 and 80 bytes in glibc).
    private static final long STRUCTURE_BYTES = 512;
    private static final long SIGSET_BYTES = 128;

    private Spawn() {
    }

    /// Spawns it and gives its pid.
    ///
    /// @param input what its standard input is
    static int spawn(Command command, int input) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(STRUCTURE_BYTES, Long.BYTES);
            MemorySegment actions = arena.allocate(STRUCTURE_BYTES, Long.BYTES);
            ATTR_INIT.callForError(attributes.address());
            ACTIONS_INIT.callForError(actions.address());
            try {
                setAttributes(arena, attributes.address());
                setActions(actions.address(), input);
                return spawn(arena, command, actions.address(), attributes.address());
            } catch (PosixException failed) {
                throw failed.about(command.executable().toString());
            } finally {
                ACTIONS_DESTROY.callUnchecked(actions.address());
                ATTR_DESTROY.callUnchecked(attributes.address());
            }
        }
    }

    private static int spawn(Arena arena, Command command, long actions, long attributes) throws PosixException {
        List<String> arguments = new ArrayList<>();
        arguments.add(command.executable().toString());
        arguments.addAll(command.arguments());
        MemorySegment pid = arena.allocate(JAVA_INT);
        SPAWN.callForError(pid.address(), Posix.text(arena, command.executable().toString()).address(), actions,
                attributes, texts(arena, arguments).address(), texts(arena, command.environment()).address());
        return pid.get(JAVA_INT, 0);
    }

    /// A thread of a JVM blocks signals of its own, and an ignored signal would stay ignored: both are inherited else.
    private static void setAttributes(Arena arena, long attributes) throws PosixException {
        MemorySegment signals = arena.allocate(SIGSET_BYTES, Long.BYTES);
        SIGEMPTYSET.call(signals.address());
        SET_MASK.callForError(attributes, signals.address());
        SIGFILLSET.call(signals.address());
        SET_DEFAULT.callForError(attributes, signals.address());
        SET_FLAGS.callForError(attributes, SETSIGDEF | SETSIGMASK | SETPGROUP);
    }

    private static void setActions(long actions, int input) throws PosixException {
        ADD_DUP2.callForError(actions, input, 0);
        if (Posix.exists(CLOSE_FROM)) {
            Posix.function(CLOSE_FROM).callForError(actions, FIRST_AFTER_STANDARD_ERROR);
        }
    }

    /// An array of texts that ends with a null.
    private static MemorySegment texts(Arena arena, List<String> texts) {
        MemorySegment array = arena.allocate(ADDRESS, texts.size() + 1L);
        for (int i = 0; i < texts.size(); i++) {
            array.setAtIndex(ADDRESS, i, Posix.text(arena, texts.get(i)));
        }
        return array;
    }
}
