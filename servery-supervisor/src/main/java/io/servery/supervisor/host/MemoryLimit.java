package io.servery.supervisor.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// How much memory this process and its children may fill: the least of the host's and of every control group around it.
///
/// @param bytes at least 1
/// @param source the file that says so
public record MemoryLimit(long bytes, String source) {
    private static final Path MEMINFO = Path.of("/proc/meminfo");

    /// Asks the kernel.
    ///
    /// @throws IOException naming the file that cannot be read
    public static MemoryLimit ofThisProcess() throws IOException {
        MemoryLimit least = new MemoryLimit(physicalBytes(Files.readString(MEMINFO)), MEMINFO.toString());
        List<Path> files = ControlGroups.memoryFiles(Files.readString(Path.of("/proc/self/cgroup")),
                Files.readString(Path.of("/proc/self/mountinfo")));
        for (Path file : files) {
            if (Files.isReadable(file)) {
                Optional<Long> bytes = limitBytes(Files.readString(file));
                if (bytes.isPresent() && bytes.get() < least.bytes()) {
                    least = new MemoryLimit(bytes.get(), file.toString());
                }
            }
        }
        return least;
    }

    /// The content of a `memory.max` or `memory.limit_in_bytes`; empty means none. A group of version 1 without a limit has a
    /// number that no host reaches.
    static Optional<Long> limitBytes(String content) {
        String text = content.strip();
        return text.matches("[1-9][0-9]{0,17}") ? Optional.of(Long.parseLong(text)) : Optional.empty();
    }

    /// MemTotal of /proc/meminfo: proc_meminfo(5), which counts in units of 1024 bytes.
    static long physicalBytes(String meminfo) throws IOException {
        return meminfo.lines().filter(line -> line.startsWith("MemTotal:"))
                .map(line -> line.replaceAll("[^0-9]", "")).filter(digits -> !digits.isEmpty())
                .mapToLong(digits -> Long.parseLong(digits) << 10).findFirst()
                .orElseThrow(() -> new IOException(MEMINFO + ": found no MemTotal"));
    }
}
