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
/// *Invariant*: at most once in a process. The replacement carries a system property that says so.
///
/// Whatever prevents it is one line on standard error, and the server goes on in the JVM that it has.
public final class SelfExec {
    private static final String REPLACED = "io.servery.replaced";

    private SelfExec() {
    }

    /// Does not return when the command serves and the replacement works.
    ///
    /// Call it first thing in `main`: nothing that is open or running survives it.
    ///
    /// @param main the class whose `main` the replacement runs, with the same arguments
    public static void replaceIfServing(Class<?> main, String[] args) {
        if (ServingCommand.is(List.of(args)) && Execv.isSupported() && System.getProperty(REPLACED) == null) {
            replace(main, args, System.err);
        }
    }

    private static void replace(Class<?> main, String[] args, PrintStream diagnostics) {
        List<String> given = ManagementFactory.getRuntimeMXBean().getInputArguments();
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
        int errno = Execv.run(java.toString(), command(java, main, args, given), argumentCharset());
        diagnostics.println("servery: JVM flags: " + java + ": execv failed with errno " + errno
                + "; this JVM keeps the flags that it has");
    }

    private static List<String> command(Path java, Class<?> main, String[] args, List<String> given) {
        Runtime runtime = Runtime.getRuntime();
        List<String> command = new ArrayList<>();
        // Absolute: an ahead-of-time cache then fits in whatever directory the two files are put.
        String classPath = absolute(System.getProperty("java.class.path"));
        command.add(java.toString());
        command.addAll(AotCache.flags(classPath, given));
        command.addAll(
                ServingFlags.of(new ServingFlags.Capacity(runtime.availableProcessors(), runtime.maxMemory()), given));
        command.add("-D" + REPLACED + "=true");
        command.add("-cp");
        command.add(classPath);
        command.add(main.getName());
        command.addAll(List.of(args));
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
