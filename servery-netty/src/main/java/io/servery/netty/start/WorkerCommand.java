package io.servery.netty.start;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The JVM of a worker: the Java and the class path of this process, the flags of serving, and those that the user gave.
public final class WorkerCommand {
    /// Whether events are JSON: `true` or `false`; the parent decides, who knows whether a person reads them.
    public static final String JSON_EVENTS = "io.servery.json_events";

    /// Whether others serve while it starts, to which it gives way: `true` or `false`.
    public static final String BESIDE_OTHERS = "io.servery.beside_others";

    /// How many bytes its compressed forms may take at most.
    public static final String FORM_BYTES = "io.servery.form_bytes";

    private static final String PROCESSORS = "-XX:ActiveProcessorCount=";

    private WorkerCommand() {
    }

    /// How large a worker may become.
    ///
    /// @param heapBytes the largest heap, unless the user sizes it
    /// @param directBytes what buffers outside of it may take
    /// @param formBytes what compressed forms may take
    public record Sizes(long heapBytes, long directBytes, long formBytes) {
    }

    /// The program.
    public static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    /// Its arguments.
    ///
    /// @param main the class that is run
    /// @param jsonEvents for [#JSON_EVENTS]
    /// @param besideOthers for [#BESIDE_OTHERS]
    /// @param words of the command line of that class
    public static List<String> arguments(Class<?> main, Sizes sizes, boolean jsonEvents, boolean besideOthers,
            List<String> words) {
        List<String> given = SelfExec.userFlags().stream()
                .filter(flag -> !ServingFlags.loadAgent(List.of(flag)) && !AotCache.isOutput(flag)).toList();
        String classPath = System.getProperty("java.class.path");
        List<String> arguments = new ArrayList<>();
        if (!classPath.contains(File.pathSeparator)) {
            arguments.addAll(AotCache.flags(classPath, given));
        }
        int processors = Runtime.getRuntime().availableProcessors();
        // What is made for each processor is as many as the parent counts, which expects so many event loops: while a worker
        // starts beside others, it runs on half of them.
        arguments.add(PROCESSORS + processors);
        arguments.addAll(ServingFlags.of(
                new ServingFlags.Capacity(processors, sizes.heapBytes(), sizes.directBytes()), given));
        arguments.addAll(given);
        arguments.add("-D" + JSON_EVENTS + "=" + jsonEvents);
        arguments.add("-D" + BESIDE_OTHERS + "=" + besideOthers);
        arguments.add("-D" + FORM_BYTES + "=" + sizes.formBytes());
        arguments.add("-cp");
        arguments.add(classPath);
        arguments.add(main.getName());
        arguments.addAll(words);
        return arguments;
    }
}
