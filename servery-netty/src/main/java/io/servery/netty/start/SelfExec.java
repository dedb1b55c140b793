package io.servery.netty.start;

import java.io.File;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Replaces this JVM by one with the flags of {@link ServingFlags}, in the same process: `java -jar` cannot carry flags.
///
/// *Invariant*: once in a process, and once more where the configuration may fill a larger heap than was given. The
/// replacement carries system properties that say so.
///
/// Whatever prevents it is one line on standard error, and the server goes on in the JVM that it has.
public final class SelfExec {
    /// Stands between our flags and the user's.
    private static final String REPLACED = "-Dio.servery.replaced=true";
    /// How large the heap and the memory outside of it were made, in bytes; only where the user sizes neither.
    private static final String SIZES = "-Dio.servery.sizes=";

    private SelfExec() {
    }

    /// The flags that the user gave, which a worker gets too.
    static List<String> userFlags() {
        List<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments();
        return flags.subList(flags.indexOf(REPLACED) + 1, flags.size());
    }

    /// Does not return when the command serves and the replacement works.
    ///
    /// Call it first thing in `main`: nothing that is open or running survives it.
    ///
    /// @param main the class whose `main` the replacement runs, with the same arguments
    public static void replaceIfServing(Class<?> main, String[] args) {
        if (ServingCommand.is(List.of(args)) && Execv.isSupported()) {
            List<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments();
            if (!flags.contains(REPLACED)) {
                // Without a size of its own a JVM may have a quarter of the memory as heap: that is what buffers get.
                replace(new Start(main, args, flags, HeapNeed.DEFAULT_BYTES, Runtime.getRuntime().maxMemory()),
                        System.err);
            }
        }
    }

    /// Does not return when the heap that this class chose is smaller than the need, and the replacement works.
    ///
    /// Call it before anything is open that must survive.
    ///
    /// @param needBytes what the configuration may fill
    public static void enlargeHeap(Class<?> main, String[] args, long needBytes) {
        List<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments();
        int ours = flags.indexOf(REPLACED);
        if (ours < 1 || !flags.get(ours - 1).startsWith(SIZES)) {
            return;
        }
        String[] sizes = flags.get(ours - 1).substring(SIZES.length()).split(",", -1);
        if (needBytes > Long.parseLong(sizes[0])) {
            replace(new Start(main, args, flags.subList(ours + 1, flags.size()), needBytes, Long.parseLong(sizes[1])),
                    System.err);
        }
    }

    /// @param given the user's flags
    /// @param heapBytes the largest heap where the user does not size it
    /// @param directBytes what buffers outside of it may take there
    private record Start(Class<?> main, String[] args, List<String> given, long heapBytes, long directBytes) {
        ServingFlags.Capacity capacity() {
            Runtime runtime = Runtime.getRuntime();
            return new ServingFlags.Capacity(runtime.availableProcessors(),
                    ServingFlags.sizeHeap(given) ? runtime.maxMemory() : heapBytes, directBytes);
        }
    }

    private static void replace(Start start, PrintStream diagnostics) {
        List<String> given = start.given();
        if (given.stream().anyMatch(ServingFlags::loadsAgent)) {
            diagnostics.println("servery: JVM flags: an agent is loaded, so this JVM keeps the flags that it has");
            return;
        }
        if (!SelfExec.class.getModule().isNativeAccessEnabled()) {
            diagnostics.println("servery: JVM flags: found no native access; expected java -jar, or "
                    + "--enable-native-access=ALL-UNNAMED (this JVM keeps the flags that it has)");
            return;
        }
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        System.out.flush();
        int errno = Execv.run(java.toString(), command(java, start), argumentCharset());
        diagnostics.println("servery: JVM flags: " + java + ": execv failed with errno " + errno
                + "; this JVM keeps the flags that it has");
    }

    private static List<String> command(Path java, Start start) {
        List<String> given = start.given();
        List<String> command = new ArrayList<>();
        // Absolute: an ahead-of-time cache then fits in whatever directory the two files are put.
        String classPath = absolute(System.getProperty("java.class.path"));
        command.add(java.toString());
        command.addAll(AotCache.flags(classPath, given));
        command.addAll(ServingFlags.of(start.capacity(), given));
        if (!ServingFlags.sizeHeap(given)) {
            command.add(SIZES + start.heapBytes() + "," + start.directBytes());
        }
        command.add(REPLACED);
        command.addAll(given);
        command.add("-cp");
        command.add(classPath);
        command.add(start.main().getName());
        command.addAll(List.of(start.args()));
        return command;
    }

    private static String absolute(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /// The charset in which the JVM read its arguments, so that the replacement reads the same ones.
    private static Charset argumentCharset() {
        return Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"), Charset.defaultCharset());
    }
}
