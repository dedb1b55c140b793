package io.servery.netty.start;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.Charset;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// execv(2), and what a JVM leaves behind that must not reach the next program.
final class Execv {
    private static final long F_SETFD = 2;
    private static final long FD_CLOEXEC = 1;
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final String ERRNO = "errno";
    private static final Linker LINKER = Linker.nativeLinker();
    private static final FunctionDescriptor THREE_NUMBERS = FunctionDescriptor.of(ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
    private static final StructLayout STATE = Linker.Option.captureStateLayout();

    private Execv() {
    }

    /// Linux alone: elsewhere a process with threads may not be replaced, or not this way.
    static boolean isSupported() {
        return System.getProperty("os.name").equals("Linux");
    }

    /// Runs `command` in place of this program. Returns errno, and only when that failed.
    static int run(String path, List<String> command, Charset charset) {
        try (Arena arena = Arena.ofConfined()) {
            closeOwnFilesOnExec(arena);
            MemorySegment argv = arena.allocate(ValueLayout.ADDRESS, command.size() + 1L);
            for (int at = 0; at < command.size(); at++) {
                argv.setAtIndex(ValueLayout.ADDRESS, at, cString(arena, command.get(at), charset));
            }
            MemorySegment state = arena.allocate(STATE);
            long ignored = (long) function("execv").invokeExact(state, cString(arena, path, charset).address(),
                    argv.address(), 0L);
            return state.get(ValueLayout.JAVA_INT, STATE.byteOffset(PathElement.groupElement(ERRNO)));
        } catch (Throwable bug) {
            throw new IllegalStateException("execv " + path, bug);
        }
    }

    private static MemorySegment cString(Arena arena, String text, Charset charset) {
        byte[] bytes = text.getBytes(charset);
        MemorySegment segment = arena.allocate(bytes.length + 1L);
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return segment;
    }

    /// The JDK opens its jars without close-on-exec. What the caller handed over (a configuration on `/dev/fd/63`, the
    /// sockets of systemd) stays open: only files of the JDK and of the class path are marked.
    private static void closeOwnFilesOnExec(Arena arena) throws Throwable {
        List<Path> own = ownFiles();
        MethodHandle fcntl = function("fcntl");
        MemorySegment state = arena.allocate(STATE);
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
            for (Path descriptor : descriptors) {
                if (isOwn(descriptor, own)) {
                    long ignored = (long) fcntl.invokeExact(state,
                            Long.parseLong(descriptor.getFileName().toString()), F_SETFD, FD_CLOEXEC);
                }
            }
        } catch (IOException noProc) {
            // Two descriptors stay open in the replacement: harmless.
        }
    }

    private static boolean isOwn(Path descriptor, List<Path> own) {
        try {
            Path target = Files.readSymbolicLink(descriptor);
            return own.stream().anyMatch(target::startsWith);
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }

    private static List<Path> ownFiles() throws IOException {
        String classPath = System.getProperty("java.class.path");
        List<Path> own = new ArrayList<>();
        own.add(Path.of(System.getProperty("java.home")).toRealPath());
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            if (!entry.isEmpty() && Files.exists(Path.of(entry))) {
                own.add(Path.of(entry).toRealPath());
            }
        }
        return own;
    }

    /// Both functions in one shape, since the linker spends a start's time on each: on Linux, on both processors, whole
    /// numbers and addresses travel alike, and whatever follows what a function takes is not looked at.
    private static MethodHandle function(String name) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), THREE_NUMBERS,
                Linker.Option.captureCallState(ERRNO));
    }
}
