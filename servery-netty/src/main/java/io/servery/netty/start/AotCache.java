package io.servery.netty.start;

import io.servery.core.config.Logging;
import io.servery.netty.observe.Event;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The ahead-of-time cache of the JDK, which the build makes beside the jar: classes already loaded and linked, and
/// profiles of a training run (docs/adr/0015).
///
/// *Invariant*: it only saves time. The JVM refuses a cache that was not made by its own build and for such flags, and starts
/// without; {@link #state} tells. That it is of this very jar is told by its time, which the build makes that of the jar: the
/// JVM looks at the jar only where the training run had loaded a class from it that no cache holds.
public final class AotCache {
    private static final String GIVEN = "io.servery.aot";
    private static final String MAPPINGS = "/proc/self/maps";

    private static final String OUTPUT = "-XX:AOTCacheOutput";
    private static final List<String> CHOOSING = List.of("-XX:AOT", "-Xshare", "-XX:SharedArchiveFile",
            "-XX:ArchiveClassesAtExit", "-XX:+AutoCreateSharedArchive", "-XX:-AutoCreateSharedArchive");

    private AotCache() {
    }

    /// What became of the cache in this process.
    public enum State {
        /// There is none beside the jar, or the user's own flags decide.
        ABSENT,
        /// The JVM runs with it.
        USED,
        /// There is one, and the JVM did not take it.
        REJECTED
    }

    /// The flags that name the cache of a class path of one jar, where there is one and the user names none.
    ///
    /// What the JVM says of a cache that it refuses goes to standard output, among the data: it is silenced, and one
    /// event says it instead. A user's `-Xlog:aot` comes later and counts.
    static List<String> flags(String classPath, List<String> given) {
        File jar = new File(classPath);
        File cache = beside(jar);
        if (chooseArchive(given) || !cache.exists()) {
            return List.of();
        }
        if (cache.lastModified() != jar.lastModified()) {
            return List.of("-D" + GIVEN + "=" + cache);
        }
        return List.of("-XX:AOTCache=" + cache, "-Xlog:aot*=off", "-Xlog:cds*=off", "-D" + GIVEN + "=" + cache);
    }

    /// `servery-netty.aot` of `servery-netty.jar`.
    static File beside(File jar) {
        String name = jar.getName();
        String stem = name.endsWith(".jar") ? name.substring(0, name.length() - ".jar".length()) : name;
        return new File(jar.getAbsoluteFile().getParentFile(), stem + ".aot");
    }

    private static boolean chooseArchive(List<String> given) {
        for (String flag : given) {
            for (String prefix : CHOOSING) {
                if (flag.startsWith(prefix)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Whether the flag has its process write a cache at its end, which is for one process to do.
    static boolean isOutput(String flag) {
        return flag.startsWith(OUTPUT);
    }

    /// Whether this JVM runs with the cache that it was given: then its file is mapped.
    public static State state() {
        String given = System.getProperty(GIVEN);
        if (given == null) {
            return State.ABSENT;
        }
        // The kernel writes bytes, which are read one by one here.
        String name = new String(("/" + new File(given).getName()).getBytes(StandardCharsets.UTF_8),
                StandardCharsets.ISO_8859_1);
        try {
            return new String(Files.readAllBytes(Path.of(MAPPINGS)), StandardCharsets.ISO_8859_1).contains(name)
                    ? State.USED
                    : State.REJECTED;
        } catch (IOException noProc) {
            return State.ABSENT;
        }
    }

    /// What a process says whose cache was rejected: each says it of itself, since each has flags of its own.
    public static Optional<Event> rejection() {
        return state() == State.REJECTED
                ? Optional.of(Event.of(Logging.Level.WARN, "aot.rejected").with("path", System.getProperty(GIVEN, ""))
                        .with("message", "the JVM starts without this cache: it is of another jar, Java or flags "
                                + "(-Xlog:aot says which); keep the jar's name and time when copying (cp -p), or "
                                + "delete the cache"))
                : Optional.empty();
    }
}
