package io.servery.netty.start;

import java.io.File;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Replaces this JVM by one with the flags of {@link ServingFlags}, or those of {@link ParentFlags} where workers are going to
/// serve, in the same process: `java -jar` cannot carry flags.
///
/// *Invariant*: once in a process, and once more where this process serves and its configuration may fill a larger heap than
/// was given. The replacement carries system properties that say so.
///
/// Whatever prevents it is one line on standard error, and the server goes on in the JVM that it has.
///
/// No ahead-of-time cache helps until the replacement runs, so here and in what this calls a lambda, a stream or a pattern
/// costs a start milliseconds: plain loops.
public final class SelfExec {
    /// Stands between our flags and the user's.
    private static final String REPLACED = "io.servery.replaced";
    private static final String REPLACED_FLAG = "-D" + REPLACED + "=true";
    /// How large the heap and the memory outside of it were made, in bytes; where the user sizes them, a parent's alone.
    private static final String SIZES = "io.servery.sizes";
    /// In the place of the heap's size: a parent's, which is too small to serve with.
    private static final long OF_PARENT = 0;

    private SelfExec() {
    }

    /// The flags that the user gave, which a worker gets too.
    static List<String> userFlags() {
        return GivenFlags.after(REPLACED_FLAG);
    }

    /// Does not return when the command serves and the replacement works.
    ///
    /// Call it first thing in `main`: nothing that is open or running survives it.
    ///
    /// @param main the class whose `main` the replacement runs, with the same arguments
    public static void replaceIfServing(Class<?> main, String[] args) {
        if (System.getProperty(REPLACED) == null && Execv.isSupported()) {
            // Without a size of its own a JVM may have a quarter of the memory as heap: that is what buffers get.
            long direct = Runtime.getRuntime().maxMemory();
            switch (ServingCommand.of(args)) {
                case FOLDER -> replace(new Start(main, args, GivenFlags.of(args), HeapNeed.defaultBytes(), direct),
                        System.err);
                case SERVICE -> replace(new Start(main, args, GivenFlags.of(args), OF_PARENT, direct), System.err);
                case NONE -> {
                }
            }
        }
    }

    /// For a process that serves itself. Does not return when the heap that this class chose is smaller than the need, and
    /// the replacement works.
    ///
    /// Call it before anything is open that must survive.
    ///
    /// @param needBytes what the configuration may fill
    public static void enlargeHeap(Class<?> main, String[] args, long needBytes) {
        String given = System.getProperty(SIZES);
        if (given == null) {
            return;
        }
        int comma = given.indexOf(',');
        if (needBytes > Long.parseLong(given.substring(0, comma))) {
            replace(new Start(main, args, userFlags(), needBytes, Long.parseLong(given.substring(comma + 1))),
                    System.err);
        }
    }

    /// @param given the user's flags
    /// @param heapBytes the largest heap where the user does not size it, or [#OF_PARENT]
    /// @param directBytes what buffers outside of it may take there
    private record Start(Class<?> main, String[] args, List<String> given, long heapBytes, long directBytes) {
        List<String> flags() {
            return heapBytes == OF_PARENT ? ParentFlags.of(given) : ServingFlags.of(capacity(), given);
        }

        boolean tellsSizes() {
            return heapBytes == OF_PARENT || !ServingFlags.sizeHeap(given);
        }

        private ServingFlags.Capacity capacity() {
            Runtime runtime = Runtime.getRuntime();
            return new ServingFlags.Capacity(runtime.availableProcessors(),
                    ServingFlags.sizeHeap(given) ? runtime.maxMemory() : heapBytes, directBytes);
        }
    }

    private static void replace(Start start, PrintStream diagnostics) {
        List<String> given = start.given();
        if (ServingFlags.loadAgent(given)) {
            diagnostics.println("servery: JVM flags: an agent is loaded, so this JVM keeps the flags that it has");
            return;
        }
        if (!SelfExec.class.getModule().isNativeAccessEnabled()) {
            diagnostics.println("servery: JVM flags: found no native access; expected java -jar, or "
                    + "--enable-native-access=ALL-UNNAMED (this JVM keeps the flags that it has)");
            return;
        }
        String java = System.getProperty("java.home") + "/bin/java";
        System.out.flush();
        int errno = Execv.run(command(java, start), GivenFlags.argumentCharset());
        diagnostics.println("servery: JVM flags: " + java + ": execv failed with errno " + errno
                + "; this JVM keeps the flags that it has");
    }

    private static List<String> command(String java, Start start) {
        List<String> given = start.given();
        List<String> command = new ArrayList<>();
        // Absolute: an ahead-of-time cache then fits in whatever directory the two files are put.
        String classPath = absolute(System.getProperty("java.class.path"));
        command.add(java);
        command.addAll(AotCache.flags(classPath, given));
        command.addAll(start.flags());
        if (start.tellsSizes()) {
            command.add("-D" + SIZES + "=" + start.heapBytes() + "," + start.directBytes());
        }
        command.add(REPLACED_FLAG);
        command.addAll(given);
        command.add("-cp");
        command.add(classPath);
        command.add(start.main().getName());
        Collections.addAll(command, start.args());
        return command;
    }

    private static String absolute(String classPath) {
        StringBuilder absolute = new StringBuilder();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            absolute.append(absolute.isEmpty() ? "" : File.pathSeparator).append(new File(entry).getAbsolutePath());
        }
        return absolute.toString();
    }
}
