package io.servery.launcher;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/// The command line of the child: the JVM flags that this JVM was given, the same class path, the same arguments.
final class ChildCommand {
    private ChildCommand() {
    }

    static List<String> of(Jdk jdk, String mainClass, String[] args) {
        List<String> command = new ArrayList<>();
        command.add(jdk.java().toString());
        // With a class path on the command line the manifest, which would grant this, is not read.
        command.add("--enable-native-access=ALL-UNNAMED");
        for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (!isAgent(flag)) {
                command.add(flag);
            }
        }
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(mainClass);
        command.addAll(List.of(args));
        return command;
    }

    /// A debugger's or profiler's port belongs to this JVM already; the child could not bind it again.
    private static boolean isAgent(String flag) {
        return flag.startsWith("-agent") || flag.startsWith("-javaagent") || flag.startsWith("-Xrun");
    }
}
