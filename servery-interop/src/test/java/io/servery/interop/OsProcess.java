package io.servery.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// One process of the host, as `/proc` tells of it (proc(5)).
///
/// @param pid its number
public record OsProcess(long pid) {
    private static final Duration STANDS_WITHIN = Duration.ofSeconds(10);
    private static final Pattern SOCKET = Pattern.compile("socket:\\[([0-9]+)]");

    private Path entry(String name) {
        return Path.of("/proc", Long.toString(pid), name);
    }

    /// Those that it started and that have not been waited for.
    public List<OsProcess> children() {
        return ProcessHandle.of(pid).stream().flatMap(ProcessHandle::children).map(child -> new OsProcess(child.pid()))
                .toList();
    }

    /// Whether there is such a process, one that has ended and is not waited for included.
    public boolean exists() {
        return Files.exists(entry("stat"));
    }

    /// Whether it has not ended.
    public boolean runs() {
        return status().map(fields -> !fields.getOrDefault("State", "Z").startsWith("Z")).orElse(false);
    }

    /// The lines of its `status` by their names; empty when it is gone.
    public Optional<Map<String, String>> status() {
        return read("status").map(text -> text.lines().filter(line -> line.indexOf(':') > 0).collect(Collectors.toMap(
                line -> line.substring(0, line.indexOf(':')), line -> line.substring(line.indexOf(':') + 1).strip(),
                (first, _) -> first)));
    }

    /// One line of its `status`.
    public String status(String name) {
        return status().map(fields -> fields.getOrDefault(name, "")).orElseThrow(this::gone);
    }

    /// The values that one line of `status` has in its threads; capabilities and the like are of a thread each.
    public Set<String> ofThreads(String name) {
        String[] threads = entry("task").toFile().list();
        if (threads == null) {
            throw gone();
        }
        return Arrays.stream(threads).flatMap(thread -> read("task/" + thread + "/status").stream())
                .flatMap(String::lines).filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip()).collect(Collectors.toSet());
    }

    /// Its number in the namespace that it is in itself (pid_namespaces(7)).
    public long innermostPid() {
        String[] pids = status("NSpid").split("\\s+", -1);
        return Long.parseLong(pids[pids.length - 1]);
    }

    public int threads() {
        return Integer.parseInt(status("Threads"));
    }

    /// The names of its threads, fifteen bytes of each.
    public List<String> threadNames() {
        String[] threads = entry("task").toFile().list();
        if (threads == null) {
            throw gone();
        }
        return Arrays.stream(threads).flatMap(thread -> read("task/" + thread + "/comm").stream()).map(String::strip)
                .toList();
    }

    /// The name of its thread with this number: fifteen bytes of it.
    public String threadName(long thread) {
        return read("task/" + thread + "/comm").map(String::strip).orElseThrow(this::gone);
    }

    /// The number of its thread with this name.
    public long thread(String name) {
        String[] threads = entry("task").toFile().list();
        if (threads == null) {
            throw gone();
        }
        return Arrays.stream(threads)
                .filter(thread -> read("task/" + thread + "/comm").filter(comm -> comm.strip().equals(name))
                        .isPresent())
                .mapToLong(Long::parseLong).findFirst()
                .orElseThrow(() -> new AssertionError("process " + pid + ": no thread " + name));
    }

    /// By the number of each thread, how long it was ready to run and had no processor. Threads of the JVM itself are left
    /// out: compilers wait for a long time and nobody waits for them.
    Map<String, Long> waitedNanos() {
        String[] threads = entry("task").toFile().list();
        return Arrays.stream(threads == null ? new String[0] : threads)
                .filter(thread -> read("task/" + thread + "/comm").filter(OsProcess::isOfTheProgram).isPresent())
                .flatMap(thread -> read("task/" + thread + "/schedstat").stream()
                        .map(text -> Map.entry(thread, Long.valueOf(text.split(" ", -1)[1]))))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /// The first thread keeps the name of the executable.
    private static boolean isOfTheProgram(String thread) {
        return thread.startsWith("java") || thread.startsWith("servery-");
    }

    /// How much that thread gives way (nice(1)).
    public int niceness(String thread) {
        String stat = read("task/" + thread(thread) + "/stat").orElseThrow(this::gone);
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16]);
    }

    /// What it holds in memory, pages that it shares with others included.
    public long residentBytes() {
        String value = status("VmRSS");
        return Long.parseLong(value.substring(0, value.indexOf(' '))) * 1024;
    }

    public List<String> commandLine() {
        return List.of(read("cmdline").orElseThrow(this::gone).split("\0", 0));
    }

    /// The names of the variables that it was executed with.
    public Set<String> environmentNames() {
        return Arrays.stream(read("environ").orElseThrow(this::gone).split("\0", 0))
                .map(variable -> variable.substring(0, Math.max(0, variable.indexOf('=')))).collect(Collectors.toSet());
    }

    /// How many descriptors it has open.
    public int descriptors() {
        return targets().size();
    }

    /// How many of them refer to something whose name begins so.
    public long descriptorsOf(String prefix) {
        return targets().stream().filter(target -> target.startsWith(prefix)).count();
    }

    /// The inodes of its sockets, as `/proc/net` names them.
    public Set<Long> sockets() {
        return targets().stream().map(SOCKET::matcher).filter(matcher -> matcher.matches())
                .map(matcher -> Long.valueOf(matcher.group(1))).collect(Collectors.toSet());
    }

    /// What its descriptors refer to.
    private List<String> targets() {
        String[] names = entry("fd").toFile().list();
        if (names == null) {
            throw gone();
        }
        return List.of(names).stream().map(name -> entry("fd").resolve(name)).flatMap(link -> {
            try {
                return Optional.of(Files.readSymbolicLink(link).toString()).stream();
            } catch (IOException closedMeanwhile) {
                return Optional.<String>empty().stream();
            }
        }).toList();
    }

    /// The ports of clients on this host whose connections to `port` it holds.
    public Set<Integer> clientPorts(int port) {
        Set<Long> own = sockets();
        Set<Integer> clients = new HashSet<>();
        for (String table : List.of("tcp", "tcp6")) {
            for (String line : read("net/" + table).orElse("").lines().skip(1).toList()) {
                String[] columns = line.strip().split("\\s+", -1);
                if (portOf(columns[1]) == port && portOf(columns[2]) != 0 && own.contains(Long.valueOf(columns[9]))) {
                    clients.add(portOf(columns[2]));
                }
            }
        }
        return clients;
    }

    private static int portOf(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1), 16);
    }

    /// Lets it open only descriptors with numbers below this from now on; those that are open stay.
    public void allowDescriptors(int count) {
        run("prlimit", "--pid", Long.toString(pid), "--nofile=" + count + ":");
    }

    /// Lets it have no more memory of its own from now on than so much, if it has not more already (setrlimit(2), RLIMIT_DATA).
    public void allowData(long bytes) {
        run("prlimit", "--pid", Long.toString(pid), "--data=" + bytes);
    }

    /// Stops it, and waits until each of its threads stands still. SIGSTOP is taken by one thread, when that has a processor,
    /// and the others go on until then (signal(7)): what the process has in hand is settled only after it.
    public void stop() {
        signal("STOP");
        long end = System.nanoTime() + STANDS_WITHIN.toNanos();
        while (!ofThreads("State").stream().allMatch(state -> state.startsWith("T"))) {
            if (System.nanoTime() > end) {
                throw new AssertionError("process " + pid + " does not stand still: " + ofThreads("State"));
            }
            Thread.onSpinWait();
        }
    }

    /// Sends a signal by its name. To stop the process, see [#stop].
    public void signal(String name) {
        run("kill", "-" + name, Long.toString(pid));
    }

    /// Waits for a command that must succeed.
    private static void run(String... command) {
        try {
            int code = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (code != 0) {
                throw new IllegalStateException(String.join(" ", command) + ": exit " + code);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(String.join(" ", command), e);
        }
    }

    /// Files of `/proc` have no size: read to the end in one go.
    private Optional<String> read(String name) {
        try {
            return Optional.of(new String(Files.readAllBytes(entry(name)), StandardCharsets.ISO_8859_1));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            if (!exists()) {
                return Optional.empty();
            }
            throw new UncheckedIOException(e);
        }
    }

    private AssertionError gone() {
        return new AssertionError("process " + pid + " is gone");
    }
}
