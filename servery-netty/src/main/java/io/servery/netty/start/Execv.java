package io.servery.netty.start;

import io.servery.supervisor.posix.SystemCall;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// execv(2), and what a JVM leaves behind that must not reach the next program.
final class Execv {
    private static final long F_SETFD = 2;
    private static final long FD_CLOEXEC = 1;
    private static final int ENOENT = 2;
    private static final String DESCRIPTORS = "/proc/self/fd";
    private static final String ENVIRONMENT = "/proc/self/environ";

    private Execv() {
    }

    /// Linux alone: elsewhere a process with threads may not be replaced, or not this way.
    static boolean isSupported() {
        return System.getProperty("os.name").equals("Linux");
    }

    /// Runs `command`, which begins with the path of a program, in place of this one. Returns errno, and only when that
    /// failed.
    static int run(List<String> command, Charset charset) {
        List<byte[]> texts = new ArrayList<>();
        for (String word : command) {
            texts.add(word.getBytes(charset));
        }
        try {
            return run(ExecArguments.of(texts), ExecArguments.of(MallocVariables.beside(environment())));
        } catch (IOException noProc) {
            return ENOENT;
        }
    }

    private static int run(ExecArguments arguments, ExecArguments environment) throws IOException {
        ProcessCalls calls = SystemCall.isAvailable() ? new KernelCalls() : new LibraryCalls();
        try {
            closeOwnFilesOnExec(calls);
            return calls.execve(arguments.first(), arguments.address(), environment.address());
        } finally {
            Reference.reachabilityFence(arguments);
            Reference.reachabilityFence(environment);
        }
    }

    /// As this process was given it: the launcher of the JVM may have added to it since.
    private static List<byte[]> environment() throws IOException {
        List<byte[]> variables = new ArrayList<>();
        try (FileInputStream in = new FileInputStream(ENVIRONMENT)) {
            byte[] bytes = in.readAllBytes();
            int begin = 0;
            for (int at = 0; at < bytes.length; at++) {
                if (bytes[at] == 0) {
                    variables.add(Arrays.copyOfRange(bytes, begin, at));
                    begin = at + 1;
                }
            }
        }
        return variables;
    }

    /// The JDK opens its jars without close-on-exec. What the caller handed over (a configuration on `/dev/fd/63`, the
    /// sockets of systemd) stays open: only files of the JDK and of the class path are marked.
    private static void closeOwnFilesOnExec(ProcessCalls calls) throws IOException {
        List<String> own = ownFiles();
        // Without /proc two descriptors stay open in the replacement: harmless.
        String[] descriptors = new File(DESCRIPTORS).list();
        for (String descriptor : descriptors == null ? new String[0] : descriptors) {
            if (isOwn(new File(DESCRIPTORS, descriptor), own)) {
                calls.fcntl(Long.parseLong(descriptor), F_SETFD, FD_CLOEXEC);
            }
        }
    }

    private static boolean isOwn(File descriptor, List<String> own) {
        try {
            String target = descriptor.getCanonicalPath();
            for (String file : own) {
                if (target.equals(file) || target.startsWith(file + "/")) {
                    return true;
                }
            }
        } catch (IOException closedMeanwhile) {
            return false;
        }
        return false;
    }

    private static List<String> ownFiles() throws IOException {
        List<String> own = new ArrayList<>();
        own.add(new File(System.getProperty("java.home")).getCanonicalPath());
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!entry.isEmpty() && new File(entry).exists()) {
                own.add(new File(entry).getCanonicalPath());
            }
        }
        return own;
    }
}
