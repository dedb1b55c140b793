package io.servery.interop.launcher;

import io.servery.netty.start.SelfExec;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/// A main that starts as the server does and tells what became of it. Ends when standard input does.
final class ServingProbe {
    private ServingProbe() {
    }

    public static void main(String[] args) throws IOException {
        System.out.println("main " + ProcessHandle.current().pid());
        SelfExec.replaceIfServing(ServingProbe.class, args);
        for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            System.out.println("flag " + flag);
        }
        System.out.println("mapped from " + System.getenv("MALLOC_MMAP_THRESHOLD_"));
        for (String arg : args) {
            System.out.println("argument " + arg);
        }
        try (var descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors) {
                System.out.println("descriptor " + descriptor.getFileName() + " " + Files.readSymbolicLink(descriptor));
            }
        }
        System.out.println("serving");
        int end = System.in.read();
        System.exit(end == -1 ? 0 : end);
    }
}
