package io.servery.interop.fleet;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.servery.interop.OsProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/// Namespaces of a service's own (unshare(1)), such as a container gives it.
final class Namespaces {
    private static final String[] PROCESSES = {"--pid", "--fork", "--kill-child", "--mount-proc"};
    private static final String[] MOUNTS = {"--mount"};

    private Namespaces() {
    }

    /// Makes a service process 1 of a namespace; skips the test where none can be made.
    static Service.Starter processOne() {
        assumeAllowed(PROCESSES);
        return new Service.Starter() {
            @Override
            public void prepare(ProcessBuilder builder, Configuration configuration) {
                builder.command(unshared(PROCESSES, builder.command().toArray(String[]::new)));
            }

            @Override
            public OsProcess parent(OsProcess started) {
                return started.children().stream().findFirst().orElse(started);
            }
        };
    }

    /// Runs a script in a namespace of mounts, and then a service; skips the test where none can be made.
    ///
    /// @param script for sh(1); `$0` is the folder of the test
    static Service.Starter mounts(String script) {
        assumeAllowed(MOUNTS);
        return (builder, configuration) -> builder.command(Stream.concat(
                Stream.of("unshare", MOUNTS[0], "sh", "-ec", script + "\nexec \"$@\"",
                        configuration.folder().toString()),
                builder.command().stream()).toList());
    }

    private static List<String> unshared(String[] namespaces, String... command) {
        return Stream.of(Stream.of("unshare"), Stream.of(namespaces), Stream.of(command)).flatMap(words -> words)
                .toList();
    }

    private static void assumeAllowed(String... namespaces) {
        try {
            Process process = new ProcessBuilder(unshared(namespaces, "true")).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assumeTrue(process.waitFor() == 0, "no namespaces here: " + said.strip());
        } catch (IOException e) {
            assumeTrue(false, "no namespaces here: " + e.getMessage());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
